/** `orchd git commit | merge | discard`. */
import { callerEnvironment } from '../../client/index.js';
import { changeWords, displayLine, OrchdError, shellWord } from '../../protocol/index.js';

import { isYes } from '../input/ask-yes.js';
import { flag, type Options, text } from '../program/command.js';
import type { Context } from '../program/context.js';

export async function commit(context: Context, session: string, options: Options): Promise<undefined> {
  const given = text(options, 'message');
  if (given === undefined) throw new OrchdError('ORCHD_USAGE', 'say what the commit is: -m "…", or -m - to read it');
  const message = given === '-' ? await (await import('../input/read-input.js')).readText('-') : given;
  const done = await context.client().call('session.commit', {
    session,
    message,
    env: callerEnvironment(context.env),
    no_hooks: options['hooks'] === false,
  });
  const { commit: id, branch, file_count: files } = done;
  await context.print(done, () =>
    context.isQuiet
      ? `${id}\n`
      : `${displayLine(branch ?? 'detached')}: ${files} file${files === 1 ? '' : 's'} committed as ${id.slice(0, 7)}\n`,
  );
  return undefined;
}

export async function merge(context: Context, session: string): Promise<undefined> {
  const done = await context.client().call('session.merge', { session });
  const { branch, into, repository, commit: id, commits } = done;
  const [from, to] = [displayLine(branch), displayLine(into)];
  const words =
    commits === 0
      ? `${to} has everything of ${from} already`
      : `${commits} commit${commits === 1 ? '' : 's'} of ${from} merged into ${to} in ${displayLine(repository)}`;
  await context.print(done, () => (context.isQuiet ? `${id}\n` : `${words}\n`));
  return undefined;
}

export async function discard(context: Context, session: string, options: Options): Promise<undefined> {
  const client = context.client();
  if (!flag(options, 'yes')) {
    const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
    if (!isTerminal || context.isJson) throw new OrchdError('ORCHD_USAGE', 'there is no one to ask: give --yes');
    const changes = await client.call('session.changes', { session });
    process.stderr.write(`${displayLine(changes.root)}  ${changeWords(changes)}\n`);
    const question = 'Remove this worktree and its branch? Ignored files are lost, all others stay under a ref. [y/N] ';
    if (!(await isYes(question, context.signal))) throw new OrchdError('ORCHD_USAGE', 'nothing was discarded');
  }
  const done = await client.call('session.discard', { session });
  const { ref, branch, root, repository } = done;
  await context.print(done, () =>
    context.isQuiet ? `${ref}\n` : `${displayLine(root)} and the branch ${displayLine(branch)} are removed\n`,
  );
  const back = `git -C ${shellWord(displayLine(repository))} branch ${shellWord(displayLine(branch))} ${displayLine(ref)}`;
  context.note(`${displayLine(ref)} keeps the content; \`${back}\` brings the branch back`);
  return undefined;
}
