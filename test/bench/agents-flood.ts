/**
 * Prints the recordings of each agent as fast as they are read, then variants of them, MEGABYTES in all. Measures the
 * CPU time per 10 MB of host and daemon, and of tmux's server. The systems alternate and are started anew each time, so
 * that no code is compiled in advance.
 */
import { type Bench, beside, format } from './bench.js';
import { flooded, recordedAgents } from './inputs/agents.js';
import { createFolder } from './inputs/files.js';
import { costToEnd } from './throughput.js';

const MEGABYTES = 5;
const ROUNDS = 2;
/** Maximum CPU time, as a share of tmux's. */
const GOAL = 2.5;

export const agentsFlood: Bench = {
  name: 'agents-flood',
  summary: `the recordings of each agent as fast as they are read, ${MEGABYTES} MB of each; CPU beside tmux`,
  async run({ seed, quick, progress }) {
    const folder = createFolder();
    const megabytes = quick ? 1 : MEGABYTES;
    const figures = [];
    try {
      for (const agent of recordedAgents()) {
        const seconds: { orchd: number[]; tmux: number[] } = { orchd: [], tmux: [] };
        for (let round = 0; round < (quick ? 1 : ROUNDS); round++) {
          const { path: file, bytes } = folder.write('flood', megabytes, flooded(agent, seed + round));
          for (const name of ['orchd', 'tmux'] as const) {
            const cost = await costToEnd(name, folder.path, { file, size: agent.size, isPainted: true });
            if (!cost) continue;
            seconds[name].push((cost.cpu * 10e6) / bytes);
            progress(`${agent.program}, ${name}: ${format((cost.cpu * 10e6) / bytes)} s for 10 MB`);
          }
        }
        const recorded = agent.recordings.flat().reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
        const note = `${agent.recordings.length} recordings, ${format(recorded / 1e6)} MB`;
        figures.push(
          ...beside(`${agent.program}, CPU for 10 MB`, 's', {
            own: seconds.orchd,
            theirs: seconds.tmux,
            goal: GOAL,
            note,
          }),
        );
      }
      return figures;
    } finally {
      folder.remove();
    }
  },
};
