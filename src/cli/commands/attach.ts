import { ATTACH_SEGMENTS, type Config, OrchdError, type Session, segmentsOf } from '../../protocol/index.js';
import type { AttachPreferences } from '../../tui/attach/attach-options.js';
import { clientOn, idOn, machineOf, targetOf } from '../hub/remote-target.js';
import { type CommandSpec, flag } from '../program/command.js';
import { type Context, readConfig } from '../program/context.js';
import { loadMeanwhile } from '../program/load-meanwhile.js';
import { attachSession } from '../sessions/attach-session.js';
import { mustLive } from '../sessions/living-session.js';

export const attach: CommandSpec = {
  name: 'attach',
  aliases: ['a'],
  group: 'Sessions',
  summary:
    'Show a session in this terminal (default: the last session). The prefix (Ctrl-] by default) and ? list the keys.',
  args: '[session]',
  options: [
    ['--read-only', 'do not type into the session'],
    ['--detach-others', 'detach the other clients of the session'],
    ['--no-status', 'use the last row for the session as well; output then passes unchanged, including images'],
    ['--machine <name>', 'a session of this machine of the hub; or write NAME/SESSION'],
    ['--keep', 'when the program ends, stay on its last screen: r restarts it, q leaves'],
  ],
  examples: [
    'orchd attach build',
    'orchd attach',
    'orchd attach build --keep',
    'orchd attach build --detach-others',
    'orchd attach build --read-only',
    'orchd attach build-7/web',
  ],
  async run(context, [selector], options) {
    const client = context.client();
    const place = selector === undefined ? null : targetOf(selector, options);
    const machine = place?.machine ?? machineOf(options);
    if (place === null && machine !== undefined) {
      throw new OrchdError('ORCHD_USAGE', `name the session: \`orchd ls --machine ${machine}\` lists them`);
    }
    const asking =
      place === null
        ? client.call('session.last', {})
        : clientOn(context, machine).call('session.show', { session: place.selector });
    const prepared = loadMeanwhile(() => prepare(context));
    const session = await asking;
    mustLive(session);
    await refuseLoop(context, session);
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      throw new OrchdError('ORCHD_USAGE', 'there is no terminal to attach to; `orchd stream` works with pipes');
    }
    const preferences = attachPreferences(await prepared);
    const end = await attachSession({
      client,
      session,
      machine,
      ...preferences,
      hasStatus: preferences.hasStatus && options['status'] !== false,
      isReadOnly: flag(options, 'readOnly'),
      detachesOthers: flag(options, 'detachOthers'),
      isKept: preferences.isKept || flag(options, 'keep'),
    });
    const name = idOn(end.session.name, machine);
    if (end.kind === 'detached') context.note(`[detached from ${name}${end.bySomeone ? ' by another client' : ''}]`);
    else context.note(`[${name} ended: ${end.state}${end.exitCode === null ? '' : `, exit code ${end.exitCode}`}]`);
    return undefined;
  },
};

/**
 * Creates the terminal's streams early, because that takes a while, and reads the configuration.
 * @throws {OrchdError} ORCHD_CONFIG
 */
function prepare(context: Context): Promise<Config> {
  void process.stdin.isTTY;
  void process.stdout.isTTY;
  return readConfig(context);
}

/**
 * Refuses to attach a session to itself or to one that it was started from: the screen would show itself endlessly.
 * @throws {OrchdError} ORCHD_FORBIDDEN
 */
async function refuseLoop(context: Context, session: Session): Promise<void> {
  for (let id = context.env['ORCHD_SESSION_ID']; id; ) {
    if (id === session.id) {
      throw new OrchdError(
        'ORCHD_FORBIDDEN',
        `you are inside session '${session.name}', which cannot be shown in itself`,
      );
    }
    const inside: Session | null = await context
      .client()
      .call('session.show', { session: id })
      .catch(() => null);
    id = inside?.parent_session_id ?? undefined;
  }
}

/** Returns the configured preferences for attached sessions. */
export const attachPreferences = ({ sessions, tui, status, notify, keys }: Config): AttachPreferences => ({
  prefix: tui.prefix,
  keys,
  hasMouse: tui.mouse,
  goesOn: tui.go_on,
  hasStatus: tui.status,
  segments: segmentsOf(status.attach, ATTACH_SEGMENTS),
  clipboard: tui.clipboard === 'write' ? 'write' : 'off',
  notify: notify.terminal,
  isKept: sessions.keep_on_exit,
});
