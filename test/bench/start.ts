/**
 * Starts SESSIONS sessions one after the other over one connection, and as many with `tmux new-session`, in turn, STEP
 * at a time. Then it measures lists and looks over that connection, and the time until all sessions are dead after they
 * are killed at once.
 */
import { Agent, request } from 'node:http';
import { startDaemon } from '../harness/daemon.js';
import { type Bench, type Figure, median } from './bench.js';
import { createFolder } from './inputs/files.js';
import { startTmux } from './tmux.js';

const SESSIONS = 200;
const STEP = 20;
const LOOKS = 100;

export const start: Bench = {
  name: 'start',
  summary: `${SESSIONS} sessions over one connection, beside tmux; lists and looks among them`,
  async run() {
    const folder = createFolder();
    const tmux = await startTmux(folder.path);
    const daemon = await startDaemon();
    const line = openLine(daemon.paths.socket);
    const ids: string[] = [];
    const own: number[] = [];
    const theirs: number[] = [];
    try {
      for (let step = 0; step < SESSIONS; step += STEP) {
        for (let n = step; n < step + STEP; n++) {
          own.push(await time(async () => ids.push(idOf(await line.ask('/api/sessions', { command: ['cat'] })))));
        }
        for (let n = step; tmux && n < step + STEP; n++) theirs.push(await time(() => tmux.run(`s${n}`, 'cat')));
      }
      const lists = await times(LOOKS, () => line.ask('/api/sessions'));
      const looks = await times(LOOKS, (n) => line.ask(`/api/sessions/${ids[n % ids.length]}/screen`));
      const killed = await time(() =>
        Promise.all(ids.map((session) => daemon.client.call('session.kill', { session, grace_ms: 1000 }))),
      );
      return [
        { what: `${SESSIONS} sessions`, value: sum(own), unit: 'ms' },
        ...(tmux ? [ratio(own, theirs)] : []),
        {
          what: 'the last of them, of the first',
          value: growth(own),
          unit: 'x',
          goal: 1.3,
          note: tmux ? `tmux ${growth(theirs).toFixed(2)}` : '',
        },
        { what: `session.list of ${SESSIONS}, p50`, value: median(lists), unit: 'ms', goal: 2 },
        { what: 'session.capture, p50', value: median(looks), unit: 'ms', goal: 2 },
        { what: 'all killed at once', value: killed, unit: 'ms' },
      ];
    } finally {
      line.close();
      await tmux?.close();
      await daemon.close();
      folder.remove();
    }
  },
};

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const growth = (values: readonly number[]): number => median(values.slice(-STEP)) / median(values.slice(0, STEP));

function ratio(own: readonly number[], theirs: readonly number[]): Figure {
  const note = `tmux ${sum(theirs).toFixed(0)} ms, a command each`;
  return { what: "the same, of tmux's", value: sum(own) / sum(theirs), unit: 'x', goal: 1.5, note };
}

async function time(run: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await run();
  return performance.now() - begun;
}

async function times(count: number, run: (n: number) => Promise<unknown>): Promise<number[]> {
  const all: number[] = [];
  for (let n = 0; n < count; n++) all.push(await time(() => run(n)));
  return all;
}

const idOf = (session: unknown): string => (session as { id: string }).id; // as the API says

/** One connection that stays open, like that of a program. */
function openLine(socketPath: string): { ask(path: string, body?: object): Promise<unknown>; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (path: string, body?: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const headers = body ? { 'content-type': 'application/json' } : {};
      const asked = request({ socketPath, path, agent, headers, method: body ? 'POST' : 'GET' }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        response.on('end', () => resolve(JSON.parse(text)));
      });
      asked.on('error', reject);
      asked.end(body && JSON.stringify(body));
    });
  return { ask, close: () => agent.destroy() };
}
