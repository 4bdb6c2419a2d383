/** Shows the grid until the person leaves it: attaching and looking back lead back to it. */
import { homedir, tmpdir } from 'node:os';
import { resolvePaths, type Session } from '../../protocol/index.js';
import type { AttachPreferences } from '../attach/attach-options.js';
import { attachTerminal } from '../attach/attach-terminal.js';
import { lookBack } from '../attach/look-back.js';
import { attachKeys, gridKeys } from '../keys/index.js';
import { layoutPlace, layoutTrust, type SplitNode, saveSplit } from '../splits/index.js';
import { type GridOptions, openGrid } from './grid.js';

interface ShowOptions extends Pick<GridOptions, 'client' | 'sessions' | 'paint' | 'streams' | 'add'> {
  readonly attach: AttachPreferences;
  readonly env: NodeJS.ProcessEnv;
  /** The arrangement of the screens; the leaves are session ids. Default: an even grid. */
  readonly split?: SplitNode;
}

/** @throws {OrchdError} If the session to attach to is gone, or the daemon. */
export async function showGrid({ client, paint, attach, env, streams, ...first }: ShowOptions): Promise<void> {
  const { prefix } = attachKeys(attach.prefix, attach.keys);
  const keys = gridKeys(attach.keys);
  const { hasMouse } = attach;
  const where = { ...(streams && { streams }) };
  let { sessions, add } = first;
  let split: SplitNode | null = first.split ?? null;
  const save = (tree: SplitNode, shown: readonly Session[]): string => saveWords(env, tree, shown);
  let focused = 0;
  let typing: GridOptions['typing'];
  for (;;) {
    const end = await openGrid({
      client,
      sessions,
      split,
      paint,
      prefix,
      keys,
      hasMouse,
      focused,
      env,
      save,
      ...where,
      ...(typing && { typing }),
      ...(add && { add }),
    });
    add = undefined;
    if (end.kind === 'left') return;
    ({ sessions, focused, split, typing } = end);
    const chosen = sessions[focused];
    if (!chosen) return;
    const session = await client.call('session.show', { session: chosen.id });
    const isLiving = session.ended_at === null && session.mode !== 'batch';
    if (end.kind === 'attach' && isLiving) {
      const options = { client, session, ...attach, env, isReadOnly: false, isInSplit: true, ...where };
      const attached = await attachTerminal(options);
      if (attached.kind === 'split') add = { way: attached.way, session: attached.other };
    } else await lookBack({ client, session, paint, hasMouse });
  }
}

/** Saves a split whose leaves are ids. @returns The notice to show. */
function saveWords(env: NodeJS.ProcessEnv, tree: SplitNode, shown: readonly Session[]): string {
  const [first] = shown;
  const { stateDir } = resolvePaths({ env, uid: process.getuid?.() ?? 0, tmpDir: tmpdir(), homeDir: homedir() });
  const file = layoutPlace(first?.cwd ?? process.cwd());
  const { added } = saveSplit(file, tree, shown, layoutTrust(stateDir));
  return `saved in ${file}${added.length > 0 ? `, with ${added.join(', ')}` : ''}; \`orchd up\` shows it`;
}
