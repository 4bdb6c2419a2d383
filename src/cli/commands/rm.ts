import type { Client } from '../../client/index.js';
import { displayLine, OrchdError, type OutputOf, type Session, shellWord } from '../../protocol/index.js';
import {
  clientOn,
  idOn,
  ONE_MACHINE,
  type OnMachine,
  onMachine,
  type RemoteTarget,
  targetOf,
} from '../hub/remote-target.js';
import { bytesInWords } from '../printing/counts.js';
import { localTime } from '../printing/local-time.js';
import { type CommandSpec, flag } from '../program/command.js';
import type { Context } from '../program/context.js';

export const rm: CommandSpec = {
  name: 'rm',
  aliases: ['remove'],
  group: 'Sessions',
  summary: 'Remove ended sessions, with their journals and items; for five minutes, --undo brings them back.',
  args: '[sessions...]',
  options: [
    ['--undo', 'bring the sessions back from the trash; without a name, the last one'],
    ['--forever', 'delete them at once, also those in the trash'],
    ['--trash', 'list the sessions in the trash'],
    ONE_MACHINE,
  ],
  quiet: 'print ids only',
  examples: [
    'orchd rm build',
    'orchd rm build-7/web',
    'orchd rm --undo',
    'orchd rm $(orchd ls --json | jq -r ".[] | select(.state == \\"exited\\") | .id")',
  ],
  async run(context, selectors, options) {
    const client = context.client();
    const modes = ['undo', 'forever', 'trash'].filter((name) => flag(options, name));
    if (modes.length > 1) throw new OrchdError('ORCHD_USAGE', `--${modes[0]} and --${modes[1]} exclude each other`);
    const places = selectors.map((selector) => targetOf(selector, options));
    if (places.some(({ machine }) => machine !== undefined) || options['machine'] !== undefined) {
      if (modes.length > 0) {
        const words = `--${modes[0]} works on this machine only: the trash of another one is there`;
        throw new OrchdError('ORCHD_USAGE', words);
      }
      return removeThere(context, places);
    }
    if (flag(options, 'trash')) return listTrash(context);
    if (flag(options, 'undo')) return restore(context, selectors);
    if (selectors.length === 0) throw new OrchdError('ORCHD_USAGE', 'say which sessions to remove');
    const isForever = flag(options, 'forever');
    // All sessions are looked up first, so that a wrong name removes nothing.
    const trash = isForever ? await client.call('trash.list', {}) : [];
    const targets = await Promise.all(selectors.map((session) => lookUp(client, session, trash)));
    const removed: OutputOf<'session.remove'>[] = [];
    const isInTrash = (id: string): boolean => trash.some(({ session }) => session.id === id);
    for (const { id } of targets) {
      const removing = isInTrash(id)
        ? client.call('trash.delete', { removed: id })
        : client.call('session.remove', { session: id, ...(isForever && { forever: true }) });
      removed.push(await removing);
    }
    await context.print(removed, () =>
      removed
        .map(({ id, name, bytes }) =>
          context.isQuiet ? `${id}\n` : `${displayLine(name)} removed, ${bytesInWords(bytes)}\n`,
        )
        .join(''),
    );
    if (!isForever) context.note('`orchd rm --undo` brings the last one back, for five minutes');
    for (const words of await worktreesLeft(targets.map(({ cwd }) => cwd))) context.note(words);
    return undefined;
  },
};

/** Removes sessions of other machines. All are looked up first, so that a wrong name removes nothing. */
async function removeThere(context: Context, places: readonly RemoteTarget[]): Promise<undefined> {
  if (places.length === 0) throw new OrchdError('ORCHD_USAGE', 'say which sessions to remove');
  const targets = await Promise.all(
    places.map(async ({ machine, selector }) => {
      const client = clientOn(context, machine);
      return { machine, client, id: (await client.call('session.show', { session: selector })).id };
    }),
  );
  const removed: OnMachine<OutputOf<'session.remove'>>[] = [];
  for (const { machine, client, id } of targets) {
    removed.push(onMachine(await client.call('session.remove', { session: id }), machine));
  }
  await context.print(removed, () =>
    removed
      .map(({ id, name, bytes, machine }) =>
        context.isQuiet ? `${id}\n` : `${displayLine(idOn(name, machine))} removed, ${bytesInWords(bytes)}\n`,
      )
      .join(''),
  );
  context.note('`orchd rm --undo` on that machine brings the last one back, for five minutes');
  return undefined;
}

/** Finds a session, or one in the trash. */
async function lookUp(client: Client, selector: string, trash: OutputOf<'trash.list'>): Promise<Session> {
  const inTrash = trash.map(({ session }) => session).find(({ id, name }) => id === selector || name === selector);
  const found = client.call('session.show', { session: selector });
  return inTrash ? found.catch(() => inTrash) : found;
}

async function restore(context: Context, selectors: readonly string[]): Promise<undefined> {
  const client = context.client();
  const [last] = selectors.length > 0 ? [] : await client.call('trash.list', {});
  if (selectors.length === 0 && !last) throw new OrchdError('ORCHD_SESSION_UNKNOWN', 'the trash is empty');
  const wanted = last ? [last.session.id] : selectors;
  const restored: Session[] = [];
  for (const removed of wanted) restored.push(await client.call('trash.restore', { removed }));
  const line = ({ id, name }: Session): string => (context.isQuiet ? `${id}\n` : `${displayLine(name)} is back\n`);
  await context.print(restored, () => restored.map(line).join(''));
  return undefined;
}

async function listTrash(context: Context): Promise<undefined> {
  const trash = await context.client().call('trash.list', {});
  const row = ({ session, bytes, until }: (typeof trash)[number]): string =>
    context.isQuiet
      ? `${session.id}\n`
      : `${session.id}  ${displayLine(session.name)}  ${bytesInWords(bytes)}  deleted at ${localTime(until)}\n`;
  await context.print(trash, () => trash.map(row).join('') || (context.isQuiet ? '' : 'the trash is empty\n'));
  return undefined;
}

/** Says which git worktrees of the removed sessions are still there, and how to remove them. */
async function worktreesLeft(directories: readonly string[]): Promise<string[]> {
  const { linkedWorktree } = await import('../../client/worktree.js');
  const found = await Promise.all([...new Set(directories)].map(linkedWorktree));
  const trees = new Map(found.flatMap((tree) => (tree === null ? [] : [[tree.path, tree]])));
  return [...trees.values()].map(
    ({ path, branch, repository }) =>
      `its worktree ${displayLine(path)} stays${branch === '' ? '' : `, with the branch ${displayLine(branch)}`}; ` +
      `\`git -C ${shellWord(displayLine(repository))} worktree remove ${shellWord(displayLine(path))}\` removes it`,
  );
}
