/**
 * Recordings of real agents, in fixtures/screen. Each gives the expected messages, however its output is split and from
 * every checkpoint. `expected.json` lists the messages of each recording. `{legacy, text}` is a marker.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordingsIn } from '../../../test/recordings.js';
import type { Finding } from '../../ears/index.js';
import { withoutBlanks } from '../../protocol/index.js';
import { parseCast, parseSize } from '../recordings/cast.js';
import { createRecorder, type Happening } from '../recordings/made-journal.js';
import { hearCast } from '../recordings/parse.js';
import { createHearing } from './session-hearing.js';

const FOLDER = join(import.meta.dirname, '../../../fixtures/screen');
/**
 * In these recordings, the program removes characters before they reach the terminal. Only type and shape are compared.
 */
const LOSSY = /-envelope-/;
const FIELDS: Readonly<Record<string, string>> = { QUESTION: 'question', TASK_COMPLETE: 'summary', BLOCKED: 'reason' };
/** A recording up to this size is read byte by byte, a longer one in pieces of up to MAX_FINE_PIECE bytes. */
const MAX_SINGLE_BYTES = 15_000;
const MAX_FINE_PIECE = 7;
/** Larger recordings are not cut so finely: they would take most of the time. */
const MAX_FINE_BYTES = 40_000;
/** A prime number, so that checkpoints fall on all kinds of frames. */
const REBASE_EVERY = 23;
let rebased = 0;

type Cut = (bytes: Buffer) => Buffer[];
type Expected = Readonly<Record<string, readonly { legacy?: string; text?: string; type?: string; data?: unknown }[]>>;

const expected = JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8')) as Expected;
const recordings = recordingsIn(FOLDER);

function squashed(type: unknown, data: unknown): string {
  return withoutBlanks(JSON.stringify([type, data]));
}

function wantedOf(file: string): string[] {
  return (expected[file] ?? []).map(({ legacy, text, type, data }) => {
    if (legacy === undefined) return LOSSY.test(file) ? String(type) : squashed(type, data);
    const name = legacy.replace(' ', '_');
    return squashed(name, { [FIELDS[name] ?? '']: text === '' ? 'Task complete' : text });
  });
}

/**
 * Returns the findings of a recording, with the ticks that the hearing orders. They lack `at`, the record that
 * completed them.
 */
function hear(text: string, cut: Cut, isRestored: boolean): Omit<Finding, 'at' | 'time'>[] {
  const reading = parseCast(text);
  if (!reading.ok) throw new Error(reading.message);
  const { cols, rows, events } = reading.cast;
  const record = createRecorder();
  let hearing = createHearing();
  let records = 0;
  const found: Omit<Finding, 'at' | 'time'>[] = [];
  const push = (happening: Happening): void => {
    for (const { at: _at, time: _time, ...finding } of hearing.push(record(happening))) found.push(finding);
    // A checkpoint during painting is large, so it is made only now and then.
    const isDue = isRestored && ++records % REBASE_EVERY === 0;
    const state = isRestored ? (hearing.state() ?? (isDue ? hearing.rebase() : null)) : null;
    if (state !== null && isDue) rebased++;
    if (state !== null) hearing = createHearing({ checkpoint: JSON.parse(JSON.stringify(state)) });
  };
  push({ kind: 'start', sessionId: 's', command: [], cwd: '/', pid: 1, cols, rows });
  let before = 0;
  for (const { timeMs, kind, data } of events) {
    if (kind === 'm') continue;
    let last = 0;
    for (let tick = hearing.wantsTick(); tick && tick.quietMs > last; tick = hearing.wantsTick()) {
      last = tick.quietMs;
      if (last <= timeMs - before) push({ kind: 'tick', quietMs: last });
    }
    before = timeMs;
    if (kind === 'o') for (const bytes of cut(Buffer.from(data, 'utf8'))) push({ kind: 'out', bytes });
    if (kind === 'i') {
      const submits = data.includes('\r');
      push({ kind: 'input', phase: 'begin', writeId: null, text: data, length: data.length, submits });
    }
    const size = kind === 'r' ? parseSize(data) : null;
    if (size) push({ kind: 'resize', ...size });
  }
  push({ kind: 'exit', exitCode: 0, signal: null, leftOpen: false, escaped: [] });
  return found;
}

function pieces(bytes: Buffer, size: (at: number) => number): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += (parts.at(-1) ?? bytes).length)
    parts.push(bytes.subarray(at, at + size(at)));
  return parts;
}

describe('fixtures/screen', () => {
  it.each(recordings)('$name', ({ name, text: read }) => {
    const text = read();
    const parsing = hearCast(text);
    const heard = parsing.ok ? parsing.events : [];
    expect(heard.filter((event) => event.event_type !== 'message')).toEqual([]);
    const said = heard.map((event) => {
      if (event.event_type !== 'message') return '';
      return LOSSY.test(name) ? event.message.type : squashed(event.message.type, event.message.data);
    });
    expect(said).toEqual(wantedOf(name));
    // A message marked as exact must be equal to the letter. Others may differ in blanks at row ends.
    heard.forEach((event, at) => {
      if (event.event_type !== 'message' || event.exact === false) return;
      const { type, data } = event.message;
      expect({ type, data }).toEqual(expected[name]?.[at]);
    });

    const whole = hear(text, (bytes) => [bytes], false);
    expect(
      hear(text, (bytes) => pieces(bytes, (at) => 1 + ((at * 7919) % 257)), true),
      'cut anywhere, from every checkpoint',
    ).toEqual(whole);
    if (text.length > MAX_FINE_BYTES) return;
    const longest = text.length > MAX_SINGLE_BYTES ? MAX_FINE_PIECE : 1;
    expect(
      hear(text, (bytes) => pieces(bytes, (at) => 1 + ((at * 7919) % longest)), false),
      'finely cut',
    ).toEqual(whole);
  });

  it('has expected messages for each recording', () => {
    expect(recordings.map(({ name }) => name).sort()).toEqual(Object.keys(expected).sort());
  });

  it('restores checkpoints in the middle of painting', () => {
    expect(rebased).toBeGreaterThan(recordings.length);
  });
});
