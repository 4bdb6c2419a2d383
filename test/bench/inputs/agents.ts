/**
 * Recorded agents: the casts of fixtures/, by program. A session of a bench is given one of them, then the next of
 * the same program, and so on without end; once all have been played, variants of them (variants.ts).
 *
 * Only recordings of a program's most frequent size are used, and none whose size changes: a session keeps its size
 * here. A pause of more than MAX_PAUSE_MS is shortened to it. There the agent waits for a person or a model; while it
 * works, a spinner turns.
 */
import { join } from 'node:path';
import { type CastEvent, parseCast } from '../../../src/session/recordings/cast.js';
import { createRandom } from '../../harness/random.js';
import { recordingsIn } from '../../recordings.js';
import { plainLine } from './texts.js';
import { createVariant } from './variants.js';
import { createVocabulary } from './vocabulary.js';

export interface Frame {
  /** Since the beginning of the session. */
  readonly atMs: number;
  readonly text: string;
}

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

export interface RecordedAgent {
  readonly program: string;
  readonly size: Size;
  /** Output only. */
  readonly recordings: readonly (readonly Frame[])[];
}

const FIXTURES = join(import.meta.dirname, '../../../fixtures');
const FOLDERS = ['screen', 'input-lines'].map((folder) => join(FIXTURES, folder));
/**
 * After a recording: cancels a sequence that was cut, and resets modes, colours and screen, as the exit of a program
 * does.
 */
export const EXIT =
  '\x18\x1b\\\x1b[?2026l\x1b[?1049l\x1b[r\x1b[0m\x1b[?25h\x1b[?1000;1002;1003;1004;1006;2004l\x1b[<u\r\n';
/** The longest pause within a recording, and the pause between two recordings of a session. */
export const MAX_PAUSE_MS = 1_000;

let known: readonly RecordedAgent[] | null = null;

/** Returns the recorded programs by name. */
export function recordedAgents(): readonly RecordedAgent[] {
  known ??= read();
  return known;
}

function read(): RecordedAgent[] {
  const programs = new Map<string, { size: string; frames: Frame[] }[]>();
  const outputs = new Set<string>();
  for (const { name, text } of FOLDERS.flatMap(recordingsIn)) {
    const reading = parseCast(text());
    if (!reading.ok) throw new Error(`${name}: ${reading.message}`);
    const { cols, rows, events } = reading.cast;
    if (events.some(({ kind }) => kind === 'r')) continue;
    const frames = withoutLongPauses(events.filter(({ kind }) => kind === 'o'));
    const output = frames.map((frame) => frame.text).join('');
    if (outputs.has(output)) continue; // two suites have the same recording
    outputs.add(output);
    const program = /^[a-z]+?(?=(?:ax|inline|sr)?[-.])/.exec(name)?.[0] ?? name;
    programs.set(program, [...(programs.get(program) ?? []), { size: `${cols}x${rows}`, frames }]);
  }
  return [...programs]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([program, all]) => {
      const size = mostFrequent(all.map((recording) => recording.size));
      const [cols = 0, rows = 0] = size.split('x').map(Number);
      const recordings = all.filter((recording) => recording.size === size).map(({ frames }) => frames);
      return { program, size: { cols, rows }, recordings };
    });
}

function withoutLongPauses(events: readonly CastEvent[]): Frame[] {
  let [atMs, last] = [0, 0];
  return events.map(({ timeMs, data }) => {
    atMs += Math.min(MAX_PAUSE_MS, timeMs - last);
    last = timeMs;
    return { atMs, text: data };
  });
}

function mostFrequent(values: readonly string[]): string {
  const count = (value: string): number => values.filter((other) => other === value).length;
  return values.toSorted((a, b) => count(b) - count(a))[0] ?? '';
}

/** Returns the agent of a session. Sessions take the agents in turn, so that any number of sessions is a fair mix. */
export function agentOf(session: number): RecordedAgent {
  const agents = recordedAgents();
  return agents[session % agents.length] as RecordedAgent; // there are recordings
}

/**
 * Yields recordings of an agent in an order that the seed determines, without end. Each repetition is another variant.
 */
function* played({ recordings }: RecordedAgent, seed: number, first = 0): Generator<readonly Frame[]> {
  const { below } = createRandom(seed);
  const order = recordings.map((_, n) => ({ n, rank: below(1e9) })).sort((a, b) => a.rank - b.rank);
  for (let turn = first; ; turn++) {
    const frames = recordings[order[turn % order.length]?.n ?? 0] ?? [];
    const vary = createVariant(Math.floor(turn / order.length), seed);
    yield frames.map(({ atMs, text }) => ({ atMs, text: vary(text) }));
  }
}

/**
 * Yields the output of a session's program at the recorded pace, without end.
 *
 * A session begins in the middle of its first recording: everything before that moment comes at once.
 */
export function* paced(session: number, seed: number): Generator<Frame> {
  const first = Math.floor(session / recordedAgents().length);
  let startMs: number | null = null;
  for (const frames of played(agentOf(session), seed, first)) {
    const endMs = frames.at(-1)?.atMs ?? 0;
    startMs ??= -createRandom(seed + session).below(1 + Math.floor(endMs / 2));
    for (const { atMs, text } of frames) yield { atMs: Math.max(0, startMs + atMs), text };
    startMs = Math.max(0, startMs + endMs + MAX_PAUSE_MS);
    yield { atMs: startMs, text: EXIT };
  }
}

/** All that an agent's recordings print, end to end, without end. */
export function* flooded(agent: RecordedAgent, seed: number): Generator<string> {
  for (const frames of played(agent, seed)) {
    for (const { text } of frames) yield text;
    yield EXIT;
  }
}

/** Yields the output of a program that prints this many lines a second, evenly. */
export function* printed(session: number, seed: number, linesPerSecond: number): Generator<Frame> {
  const v = createVocabulary(seed + session);
  const everyMs = 1000 / linesPerSecond;
  for (let n = 0, phaseMs = v.below(Math.ceil(everyMs)); ; n++)
    yield { atMs: phaseMs + n * everyMs, text: plainLine(v) };
}
