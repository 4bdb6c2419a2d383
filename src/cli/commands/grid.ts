import { MAX_SCREENS, OrchdError, type Session } from '../../protocol/index.js';
import { type CommandSpec, flag, text } from '../program/command.js';
import { type Context, readConfig } from '../program/context.js';
import { attachPreferences } from './attach.js';

export const grid: CommandSpec = {
  name: 'grid',
  group: 'Sessions',
  summary:
    'Show up to 9 sessions side by side, and type into one or several (default: those that wait; all if that is less than two). ' +
    'The prefix (Ctrl-] by default) and ? list the keys.',
  args: '[sessions...]',
  options: [
    ['--tag <tag>', 'the living sessions with this tag'],
    ['--waiting', 'the sessions that wait for you'],
    ['--layout', 'those of the project’s layout that run, split as it says (see `orchd up`)'],
  ],
  examples: ['orchd grid', 'orchd grid api web', 'orchd grid --tag release', 'orchd grid --layout'],
  async run(context, selectors, options) {
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      throw new OrchdError('ORCHD_USAGE', 'there is no terminal to draw on; `orchd capture` prints one screen');
    }
    if (flag(options, 'layout')) {
      if (selectors.length > 0 || text(options, 'tag') !== undefined || flag(options, 'waiting'))
        throw new OrchdError('ORCHD_USAGE', '--layout takes the sessions of the layout: name no others');
      const { layoutHere, planOf } = await import('../layout/layout-plan.js');
      const { showLayout } = await import('../layout/show-layout.js');
      const layout = layoutHere(context.cwd);
      const plan = await planOf(context.client(), layout.sessions);
      const living = plan.flatMap(({ step, session }) => (step === 'running' && session ? [session] : []));
      await showLayout(context, layout, living);
      return undefined;
    }
    const sessions = await chosenSessions(context, selectors, text(options, 'tag'), flag(options, 'waiting'));
    const { showGrid, createPaint, isThemeName } = await import('../../tui/index.js');
    const config = await readConfig(context);
    const { theme } = config.tui;
    await showGrid({
      client: context.client(),
      sessions,
      env: context.env,
      attach: attachPreferences(config),
      paint: createPaint(context.env, isThemeName(theme) ? theme : 'dark'),
    });
    return undefined;
  },
};

/**
 * @throws {OrchdError} ORCHD_SESSION_UNKNOWN if there is nothing to show; ORCHD_USAGE for too many sessions or
 *   contradicting options.
 */
async function chosenSessions(
  context: Context,
  selectors: readonly string[],
  tag: string | undefined,
  isWaiting: boolean,
): Promise<readonly Session[]> {
  const client = context.client();
  if (selectors.length > 0) {
    if (tag !== undefined || isWaiting) throw new OrchdError('ORCHD_USAGE', 'give sessions, --tag or --waiting');
    if (selectors.length > MAX_SCREENS)
      throw new OrchdError('ORCHD_USAGE', `a grid shows at most ${MAX_SCREENS} sessions`);
    return Promise.all(selectors.map((session) => client.call('session.show', { session })));
  }
  const all = await client.call('session.list', { all: false, ...(tag !== undefined && { tag }) });
  const living = all.filter(({ id, mode }) => mode !== 'batch' && id !== context.env['ORCHD_SESSION_ID']);
  const waiting = living.filter(({ open_items }) => open_items > 0);
  const sessions = isWaiting || (tag === undefined && waiting.length > 1) ? waiting : living;
  if (sessions.length === 0) {
    const none = isWaiting
      ? 'no session waits for you'
      : tag === undefined
        ? 'no session runs'
        : `none has the tag ${tag}`;
    throw new OrchdError('ORCHD_SESSION_UNKNOWN', none);
  }
  if (sessions.length > MAX_SCREENS) context.note(`the first ${MAX_SCREENS} of ${sessions.length} sessions are shown`);
  return sessions.slice(0, MAX_SCREENS);
}
