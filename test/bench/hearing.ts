/**
 * Measures what it costs to hear recorded agents, beside xterm.js alone on the same output: as fast as it can be read,
 * and at the recorded pace. Both run in this process, without pty, host, journal and events: what is left of `agents`
 * and `agents-flood` is reading, writing and waking.
 */
import { createHearing, type Happening } from '../../src/session/index.js';
import { createRecorder } from '../../src/session/recordings/made-journal.js';
import { type Bench, type Figure, format } from './bench.js';
import { agentOf, flooded, paced, type RecordedAgent, recordedAgents } from './inputs/agents.js';
import { upTo } from './inputs/files.js';
import { bareTerminal, cpuOf } from './screen.js';

const MEGABYTES = 3;
const AGENTS = 50;
const SECONDS = 60;
/** Output within this time is heard together, as if the host had read it in one beat. */
const BEAT_MS = 16;
const CHUNK = 64 * 1024;

interface Piece {
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

function draw({ size }: RecordedAgent, pieces: readonly Piece[]): void {
  const terminal = bareTerminal(size.cols, size.rows);
  for (const { bytes } of pieces) terminal.parse(bytes);
}

/** Hears the pieces, and each silence that the hearing asks for between them. */
function hear({ program, size }: RecordedAgent, pieces: readonly Piece[]): void {
  const hearing = createHearing();
  const record = createRecorder();
  const push = (happening: Happening): unknown => hearing.push(record(happening));
  push({ kind: 'start', sessionId: 'ses_bench', command: [program], cwd: '/', pid: 1, ...size, time: 0 });
  pieces.forEach(({ atMs, bytes }, at) => {
    push({ kind: 'out', bytes, time: atMs });
    const pause = (pieces[at + 1]?.atMs ?? atMs) - atMs;
    let last = 0;
    for (let tick = hearing.wantsTick(); tick && tick.quietMs > last && tick.quietMs <= pause; ) {
      last = tick.quietMs;
      push({ kind: 'tick', quietMs: last, time: atMs + last });
      tick = hearing.wantsTick();
    }
  });
}

function floodOf(agent: RecordedAgent, seed: number, megabytes: number): Piece[] {
  const bytes = Buffer.concat([...upTo(megabytes * 1e6, flooded(agent, seed))]);
  const count = Math.ceil(bytes.length / CHUNK);
  return Array.from({ length: count }, (_, at) => ({
    atMs: at * BEAT_MS,
    bytes: Uint8Array.from(bytes.subarray(at * CHUNK, (at + 1) * CHUNK)),
  }));
}

function pacedPieces(session: number, seed: number, seconds: number): Piece[] {
  const beats = new Map<number, string>();
  for (const { atMs, text } of paced(session, seed)) {
    if (atMs > seconds * 1000) break;
    const beat = Math.ceil(atMs / BEAT_MS) * BEAT_MS;
    beats.set(beat, (beats.get(beat) ?? '') + text);
  }
  return [...beats].map(([atMs, text]) => ({ atMs, bytes: Uint8Array.from(Buffer.from(text)) }));
}

export const hearing: Bench = {
  name: 'hearing',
  summary: 'what hearing recorded agents costs beside xterm.js alone, in one process',
  run({ seed, quick, progress }) {
    const figures: Figure[] = [];
    const [megabytes, seconds] = quick ? [0.5, 10] : [MEGABYTES, SECONDS];
    for (const agent of recordedAgents()) {
      const pieces = floodOf(agent, seed, megabytes);
      const size = pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
      hear(agent, pieces.slice(0, 8)); // compiles the code
      const [drawn, heard] = [cpuOf(() => draw(agent, pieces)), cpuOf(() => hear(agent, pieces))];
      progress(`${agent.program}: ${format((heard * 10) / (size / 1e6))} ms for 10 MB`);
      const note = `xterm.js ${format(((drawn / 1e3) * 10e6) / size)} s for 10 MB`;
      figures.push({ what: `${agent.program}, CPU beside xterm.js`, value: heard / drawn, unit: 'x', note });
    }
    const sessions = Array.from({ length: AGENTS }, (_, session) => {
      return { agent: agentOf(session), pieces: pacedPieces(session, seed, seconds) };
    });
    const share = (work: typeof hear): number => {
      const cost = cpuOf(() => {
        for (const { agent, pieces } of sessions) work(agent, pieces);
      });
      return cost / seconds / 10;
    };
    const [drawn, heard] = [share(draw), share(hear)];
    const note = `xterm.js ${format(drawn)} %`;
    return [...figures, { what: `${AGENTS} agents at their pace, of a core`, value: heard, unit: '%', note }];
  },
};
