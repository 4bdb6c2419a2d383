/** Shows what a session has changed. Commits, merges or discards the changes when the person asks for it. */
import { type Client, callerEnvironment } from '../client/index.js';
import { changeWords, type OutputOf } from '../protocol/index.js';
import { showRows } from './attach/look-back.js';
import type { CopyChoice } from './attach/overlays/index.js';
import { diffRows, fileRows } from './diff-rows.js';
import type { Paint } from './paint/paint.js';
import { plainLine } from './paint/text.js';

interface DiffPorts {
  readonly client: Client;
  readonly paint: Paint;
  readonly env: NodeJS.ProcessEnv;
  readonly hasMouse: boolean;
  /** Default: standard input and output. */
  readonly streams?: Pick<NodeJS.Process, 'stdin' | 'stdout'>;
}

/**
 * Shows a linked worktree also without changes: after a merge, the person discards it here.
 * @returns  A sentence for the person: that there is nothing to show, or what was done; null if they just left.
 * @throws {OrchdError} The daemon's refusal.
 */
export async function showDiff(
  { client, paint, env, hasMouse, streams }: DiffPorts,
  session: string,
): Promise<string | null> {
  const [{ name }, changes] = await Promise.all([
    client.call('session.show', { session }),
    client.call('session.changes', { session, patch: true }),
  ]);
  const isEmpty = changes.file_count === 0;
  if (isEmpty && !changes.is_worktree) return `${plainLine(name)}: ${changeWords(changes)}`;
  const rows = diffRows(paint, changes);
  const choices = choicesOf(changes);
  const keys = `${isEmpty ? '' : '] [ file  / search  '}${choices.map(({ key, word }) => `${key} ${word}`).join('  ')}  q leaves`;
  const about = { title: plainLine(name), startsAtTop: true, stops: fileRows(rows), keys };
  const chosen = await showRows({ ...about, rows, choices, paint, hasMouse, ...(streams && { streams }) });
  switch (chosen?.key) {
    case 'c': {
      const done = await client.call('session.commit', { session, message: chosen.text, env: callerEnvironment(env) });
      return `${done.file_count} file${done.file_count === 1 ? '' : 's'} committed as ${done.commit.slice(0, 7)}`;
    }
    case 'm': {
      const { branch, into, commits } = await client.call('session.merge', { session });
      if (commits === 0) return `${plainLine(into)} has everything of ${plainLine(branch)} already`;
      return `${commits} commit${commits === 1 ? '' : 's'} of ${plainLine(branch)} merged into ${plainLine(into)}`;
    }
    case 'x': {
      const { branch, ref } = await client.call('session.discard', { session });
      return `${plainLine(branch)} is removed; ${plainLine(ref)} keeps its content`;
    }
    default:
      return null;
  }
}

type Choice = CopyChoice & { readonly word: string };

/** Only a worktree of the session's own can be merged and discarded. Without changes there is nothing to commit. */
function choicesOf({ branch, is_worktree, file_count }: OutputOf<'session.changes'>): readonly Choice[] {
  const commit = { key: 'c', word: 'commit', question: 'Commit all of it with the message:', takesText: true };
  if (!is_worktree) return [commit];
  const name = branch === null ? 'it' : plainLine(branch);
  return [
    ...(file_count === 0 ? [] : [commit]),
    { key: 'm', word: 'merge', question: `Merge ${name} into the main worktree’s branch?`, takesText: false },
    { key: 'x', word: 'discard', question: 'Remove this worktree and its branch? A ref keeps it.', takesText: false },
  ];
}
