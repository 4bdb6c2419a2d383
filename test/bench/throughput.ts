/**
 * Measures `cat` of MEGABYTES in a detached session until its end is on the screen and everything was heard: CPU time
 * of host and daemon, and of tmux's server, and wall time. The systems alternate and are started anew each time. The
 * figures are medians of ROUNDS rounds, each with files from another seed.
 *
 * tmux only draws. orchd also writes a journal and searches for messages.
 */
import { type Bench, beside, type Figure, format } from './bench.js';
import { paintingScript } from './busy.js';
import type { Size } from './inputs/agents.js';
import { createFolder, generate, KINDS, type Kind, SIZE } from './inputs/files.js';
import { cpuSeconds } from './processes.js';
import { ORCHD_AND_TMUX } from './systems.js';

const MEGABYTES = 30;
const ROUNDS = 3;
/** Maximum CPU time, as a share of tmux's. */
const GOALS: Readonly<Record<Kind, number>> = { plain: 1, sgr: 0.6, utf8: 0.4, tui: 0.75 };

interface Cost {
  readonly cpu: number;
  readonly wall: number;
}

export const throughput: Bench = {
  name: 'throughput',
  summary: `\`cat\` of ${MEGABYTES} MB in a detached session, beside tmux: ${KINDS.join(', ')}`,
  async run({ seed, quick, progress }) {
    const folder = createFolder();
    const megabytes = quick ? 5 : MEGABYTES;
    const figures: Figure[] = [];
    try {
      for (const kind of KINDS) {
        const costs: { orchd: Cost[]; tmux: Cost[] } = { orchd: [], tmux: [] };
        for (let round = 0; round < (quick ? 1 : ROUNDS); round++) {
          const { path: file } = folder.write(kind, megabytes, generate(kind, seed + round));
          for (const name of ['orchd', 'tmux'] as const) {
            const cost = await costToEnd(name, folder.path, { file, size: SIZE, isPainted: kind === 'tui' });
            if (!cost) continue;
            costs[name].push(cost);
            progress(`${kind}, ${name}: ${format(cost.cpu)} s of CPU, ${format(cost.wall)} s`);
          }
        }
        for (const what of ['cpu', 'wall'] as const) {
          const [own, theirs] = [costs.orchd.map((cost) => cost[what]), costs.tmux.map((cost) => cost[what])];
          const goal = what === 'cpu' ? { goal: GOALS[kind] } : {};
          figures.push(
            ...beside(`${kind}, ${what === 'cpu' ? 'CPU' : 'wall'} for ${megabytes} MB`, 's', { own, theirs, ...goal }),
          );
        }
      }
      return figures;
    } finally {
      folder.remove();
    }
  },
};

/**
 * Returns the seconds that a system needs for a file that a session prints. Null if the system is not installed.
 *
 * @param isPainted  True if the file was made for a terminal in raw mode, so that its line feeds must not be changed.
 */
export async function costToEnd(
  name: 'orchd' | 'tmux',
  folder: string,
  { file, size, isPainted }: { readonly file: string; readonly size: Size; readonly isPainted: boolean },
): Promise<Cost | null> {
  const system = await ORCHD_AND_TMUX[name](folder);
  if (!system) return null;
  try {
    const [cpu, startMs] = [cpuSeconds(system.pids), performance.now()];
    await system.runToEnd('flood', isPainted ? paintingScript(file) : `cat ${file}`, size);
    return { cpu: cpuSeconds(system.pids) - cpu, wall: (performance.now() - startMs) / 1000 };
  } finally {
    await system.close();
  }
}
