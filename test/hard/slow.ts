/**
 * Looks for output that is slow to hear or to show: random sequences, features of terminals, text and pieces of
 * messages, repeated until they fill OUTPUT_BYTES.
 *
 * The daemon hears a session in pieces and serves other sessions in between (src/session/session-reader.ts), so the
 * time of one piece counts. Times are CPU times, so that other programs on the machine have little effect. A slow case
 * is shrunk and printed as a case for fixtures/slow/cases.json.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createHearing } from '../../src/session/hearing/session-hearing.js';
import { createRecorder } from '../../src/session/recordings/made-journal.js';
import { Screen } from '../../src/terminal/index.js';
import { createRandom } from '../harness/random.js';
import type { HardTest } from './run.js';

const OUTPUT_BYTES = 16 * 1024;
const COLS = 120;
const ROWS = 40;
/** The smallest piece that the piece reader passes if output is slow to read. */
const PIECE_BYTES = 32;
const SHOWN_BYTES = 1024;

const NUMBERS = ['', '0', '1', '2', '5', '9', '40', '99', '999', '99999999', '1;1', '5;10', '1;99999', '24;80'];
const FINALS = [...'@ABCDEFGHIJKLMPSTXZ`abcdefghlmnqrstux'];
const MODES = '1 3 5 6 7 12 25 45 47 66 1000 1002 1006 1047 1048 1049 2004 2026 4 20 1004 9001'.split(' ');
const ESCAPES = ['7', '8', 'D', 'E', 'M', 'H', 'c', '#8', '(0', '(B', '=', '>', 'N', 'O'];
const COMMANDS = ['0;', '2;', '8;;http://x', '52;c;', '133;A', '133;D', '9;', '777;notify;', '4;1;?', '10;?', '1337;'];
const CONTROLS = ['\r\n', '\n', '\r', '\b', '\v', '\f', '\t', '\x07', '\x18', '\x1a', '\x9b', '\x0e', '\x0f'];
const WORDS = [
  '{"type":"QUESTION","data":{"question":"a"}}',
  '```orchestrator-message\r\n',
  '```\r\n',
  '~~~\r\n',
  '<output>',
  '</output>',
  ':ORCHESTRATOR: QUESTION - x',
  '{',
  '}',
  '"',
  '{"a":[',
  '{\r\n',
  '  {"a":"',
  '1 {',
  '> {',
  '>',
  'word ',
  'x',
  '\\',
  '\u0301',
  '\u200d',
  '漢',
  '👩‍💻',
  'é',
  '│',
  '⎿ ',
  '─',
  '\t',
];

/** Whole features of terminals, which random sequences rarely make. */
const FEATURES: readonly ((random: Random) => string)[] = [
  (random) => `\x1b]8;id=${number(random)};http://x/${'a'.repeat(number(random))}\x1b\\link\x1b]8;;\x1b\\`,
  (random) => `\x1bPq#0;2;0;0;0!${number(random)}~-$#1!${number(random)}?${pick(random, ['\x1b\\', ''])}`,
  (random) => `\x1bP${pick(random, ['+q544e', '$qr', '1$tx', '!z', '0;1|17/17', '=1s'])}\x1b\\`,
  (random) => `\x1b_Ga=${pick(random, [...'tTpdqfac'])},i=${number(random)},m=1;${'QUFB'.repeat(50)}\x1b\\`,
  (random) => pick(random, ['\x1bH\t', '\x1b[3g\t', `\x1b[${number(random)}I`, `\x1b[${number(random)}Z`, '\x1b[?5W']),
  (random) =>
    `\x1b[${1 + (number(random) % 39)};40r\x1b[?6h\x1b[${number(random)};1H\x1b[${number(random)}${pick(random, [...'LMST'])}`,
  (random) => `\x1b[${pick(random, ['1', '40'])};119H漢\u0301漢${pick(random, ['\u200d', '\ufe0f', '👩‍💻', '🇩🇪'])}`,
  (random) => MODES.map((mode) => `\x1b[?${mode}${pick(random, ['h', 'l'])}`).join(''),
  (random) => `\x1b7\x1b[${number(random)};1H\x1b[s\x1b8\x1b[u\x1b[?1048h\x1b[?1048l`,
  (random) => `\x1b[4h\x1b[${number(random)}@x\x1b[${number(random)}P\x1b[4l\x1b[${number(random)}X`,
  (random) => `\x1b[?2026h${pick(random, ['\x1b[?2026h', 'x', '\x1b[2J', '\x1b[?1049h'])}\x1b[?2026l`,
];

interface SlowCase {
  /** The part that is printed once, before the repeated part. */
  readonly before: string;
  readonly parts: readonly string[];
}

type Random = () => number;
const number = (random: Random): number => Math.floor(random() * 300);
// No list is empty.
const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

function part(random: Random): string {
  if (random() < 0.3) return pick(random, FEATURES)(random);
  const kind = random();
  if (kind < 0.35) return `\x1b[${pick(random, NUMBERS)}${pick(random, FINALS)}`;
  if (kind < 0.45) return `\x1b[?${pick(random, MODES)}${pick(random, ['h', 'l'])}`;
  if (kind < 0.5) return `\x1b${pick(random, ESCAPES)}`;
  if (kind < 0.55) return `\x1b]${pick(random, COMMANDS)}title${pick(random, ['\x07', '\x1b\\', ''])}`;
  if (kind < 0.58) return `\x1bP${pick(random, ['$qm', '+q', '1;2|'])}${pick(random, ['\x1b\\', '', 'q'.repeat(50)])}`;
  if (kind < 0.65) return pick(random, CONTROLS);
  if (kind < 0.9) return pick(random, WORDS);
  return pick(random, WORDS).repeat(Math.ceil(random() * 60));
}

function generate(random: Random): SlowCase {
  const before = pick(random, ['\x1b[?1049h', '\x1b[2J\x1b[H', '']);
  return { before, parts: Array.from({ length: 1 + Math.floor(random() * 6) }, () => part(random)) };
}

function outputOf({ before, parts }: SlowCase, bytes: number): Buffer {
  const once = Buffer.from(parts.join(''));
  const times = once.length === 0 ? 0 : Math.ceil(bytes / once.length);
  return Buffer.concat([Buffer.from(before), ...new Array<Buffer>(times).fill(once)]);
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Returns the longest CPU times of one piece, in milliseconds. Stops at the first piece that exceeds the limit. */
function measure(slow: SlowCase, limitMs: number): { hearingMs: number; showingMs: number } {
  const output = outputOf(slow, OUTPUT_BYTES);
  const hearing = createHearing({});
  const record = createRecorder();
  const start = {
    kind: 'start',
    sessionId: 'slow',
    command: ['sh'],
    cwd: '/',
    pid: 1,
    cols: COLS,
    rows: ROWS,
  } as const;
  hearing.push(record(start));
  let hearingMs = 0;
  let before = cpuMs();
  for (let at = 0; at < output.length && hearingMs <= limitMs; at += PIECE_BYTES) {
    hearing.push(record({ kind: 'out', bytes: output.subarray(at, at + PIECE_BYTES) }));
    const now = cpuMs();
    hearingMs = Math.max(hearingMs, now - before);
    before = now;
  }
  const screen = new Screen({ cols: COLS, rows: ROWS, scrollbackLines: 1000, onReply: () => {} });
  let showingMs = 0;
  for (let at = 0; at < output.length && showingMs <= limitMs; at += SHOWN_BYTES) {
    before = cpuMs();
    screen.feed(output.subarray(at, at + SHOWN_BYTES));
    showingMs = Math.max(showingMs, cpuMs() - before);
  }
  screen.dispose();
  return { hearingMs, showingMs };
}

/** True if the case is too slow twice: once could be due to garbage collection. */
const isSlow = (slow: SlowCase, limitMs: number): boolean =>
  [1, 2].every(() => Object.values(measure(slow, limitMs)).some((ms) => ms > limitMs));

/** Reduces a case to as few parts as possible that are still too slow. */
function shrink(slow: SlowCase, limitMs: number): SlowCase {
  for (let at = 0; at < slow.parts.length; at++) {
    const less = { ...slow, parts: slow.parts.filter((_, index) => index !== at) };
    if (isSlow(less, limitMs)) return shrink(less, limitMs);
  }
  return slow;
}

async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { seconds: { type: 'string' }, seed: { type: 'string' }, limit: { type: 'string' } },
  });
  const limitMs = Number(values.limit ?? 100);
  const seed = Number(values.seed ?? Date.now() % 1e6);
  const until = Date.now() + Number(values.seconds ?? 600) * 1000;
  const numbers = createRandom(seed);
  const random = (): number => numbers.below(1e6) / 1e6;
  const known = JSON.parse(
    readFileSync(new URL('../../fixtures/slow/cases.json', import.meta.url), 'utf8'),
  ) as SlowCase[];
  console.log(`slow: seed ${seed}, one piece may take ${limitMs} ms of the CPU`);
  const found: SlowCase[] = [];
  let tried = 0;
  let slowest = 0;
  for (; Date.now() < until; tried++) {
    const slow = known[tried] ?? generate(random);
    const { hearingMs, showingMs } = measure(slow, limitMs);
    slowest = Math.max(slowest, Math.min(limitMs, hearingMs), Math.min(limitMs, showingMs));
    if (Math.max(hearingMs, showingMs) <= limitMs || !isSlow(slow, limitMs)) continue;
    const least = shrink(slow, limitMs);
    found.push(least);
    console.log(`slow: too slow: ${JSON.stringify(least)}`);
  }
  console.log(
    `slow: ${tried} outputs tried, ${found.length} too slow, the slowest piece took ${Math.round(slowest)} ms`,
  );
  if (found.length > 0) throw new Error(`${found.length} outputs hold the daemon for too long`);
}

export const hard: HardTest = {
  summary: 'looks for output that is slow to hear or to show',
  options: [
    '--seconds N   how long to look (600)',
    '--seed N      other outputs; printed at the start',
    '--limit MS    time of the CPU that one piece may take (100)',
  ],
  run,
};
