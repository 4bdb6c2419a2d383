import { displayLine, type OutputOf, shellWord } from '../../protocol/index.js';
import { bytesInWords } from '../printing/counts.js';
import type { CommandSpec } from '../program/command.js';

export const rm: CommandSpec = {
  name: 'rm',
  aliases: ['remove'],
  group: 'Sessions',
  summary: 'Remove ended sessions, with their journals and items.',
  args: '<sessions...>',
  quiet: 'print ids only',
  examples: ['orchd rm build', 'orchd rm $(orchd ls --json | jq -r ".[] | select(.state == \\"exited\\") | .id")'],
  async run(context, selectors) {
    const client = context.client();
    // All sessions are looked up first, so that a wrong name removes nothing.
    const targets = await Promise.all(selectors.map((session) => client.call('session.show', { session })));
    const removed: OutputOf<'session.remove'>[] = [];
    for (const { id } of targets) removed.push(await client.call('session.remove', { session: id }));
    await context.print(removed, () =>
      removed
        .map(({ id, name, bytes }) =>
          context.isQuiet ? `${id}\n` : `${displayLine(name)} removed, ${bytesInWords(bytes)}\n`,
        )
        .join(''),
    );
    for (const words of await worktreesLeft(targets.map(({ cwd }) => cwd))) context.note(words);
    return undefined;
  },
};

/** Says which git worktrees of the removed sessions are still there, and how to remove them. */
async function worktreesLeft(directories: readonly string[]): Promise<string[]> {
  const { linkedWorktree } = await import('../../tui/index.js');
  const found = await Promise.all([...new Set(directories)].map(linkedWorktree));
  const trees = new Map(found.flatMap((tree) => (tree === null ? [] : [[tree.path, tree]])));
  return [...trees.values()].map(
    ({ path, branch, repository }) =>
      `its worktree ${displayLine(path)} stays${branch === '' ? '' : `, with the branch ${displayLine(branch)}`}; ` +
      `\`git -C ${shellWord(displayLine(repository))} worktree remove ${shellWord(displayLine(path))}\` removes it`,
  );
}
