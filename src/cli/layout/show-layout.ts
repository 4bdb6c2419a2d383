/** Shows the living sessions of a layout side by side, as its split says. */
import { MAX_SCREENS, OrchdError, type Session } from '../../protocol/index.js';
import { evenParts, type Layout, leaf, leavesOf, renameLeaves } from '../../tui/index.js';
import { attachPreferences } from '../commands/attach.js';
import { type Context, readConfig } from '../program/context.js';

/**
 * @param sessions The living sessions of the layout.
 * @throws {OrchdError} ORCHD_SESSION_UNKNOWN if none of the split lives.
 */
export async function showLayout(context: Context, layout: Layout, sessions: readonly Session[]): Promise<void> {
  const own = context.env['ORCHD_SESSION_ID'];
  const shown = sessions.filter(({ id }) => id !== own);
  const split =
    layout.split ??
    evenParts(
      '|',
      layout.sessions.map(({ name }) => leaf(name)),
    );
  const idOf = (name: string): string | null => shown.find((session) => session.name === name)?.id ?? null;
  const tree = renameLeaves(split, idOf);
  if (tree === null)
    throw new OrchdError('ORCHD_SESSION_UNKNOWN', `no session of ${layout.file} runs; start them with \`orchd up\``);
  const ids = leavesOf(tree).slice(0, MAX_SCREENS);
  const { showGrid, createPaint, isThemeName } = await import('../../tui/index.js');
  const config = await readConfig(context);
  const { theme } = config.tui;
  await showGrid({
    client: context.client(),
    env: context.env,
    attach: attachPreferences(config),
    sessions: ids.flatMap((id) => shown.filter((session) => session.id === id)),
    paint: createPaint(context.env, isThemeName(theme) ? theme : 'dark'),
    // If the layout has no split, the screens form an even grid.
    ...(layout.split && { split: renameLeaves(tree, (id) => (ids.includes(id) ? id : null)) ?? tree }),
  });
}
