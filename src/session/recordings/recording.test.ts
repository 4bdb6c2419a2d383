import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordingsIn } from '../../../test/recordings.js';
import { parseCast, parseSize } from './cast.js';
import { Recording } from './recording.js';

const LINES = `${'x'.repeat(39)}\r\n`.repeat(2500);
const FOLDER = join(import.meta.dirname, '../../../fixtures/screen');

function load(text: string, options = {}): Recording {
  const reading = parseCast(text);
  if (!reading.ok) throw new Error(reading.message);
  const recording = new Recording(reading.cast, options);
  for (const { timeMs, kind, data } of reading.cast.events) {
    if (kind === 'o') recording.add({ timeMs, kind: 'out', bytes: Buffer.from(data) });
    const size = kind === 'r' ? parseSize(data) : null;
    if (size) recording.add({ timeMs, kind: 'resize', ...size });
  }
  return recording;
}

const shown = ({ screen }: Recording) => [screen.cols, screen.rows, screen.cursor, screen.look({ ansi: true })];

test('shows the same at a moment after seeking forwards and backwards', async () => {
  expect(readdirSync(FOLDER).length).toBeGreaterThan(0);
  for (const { name, text } of recordingsIn(FOLDER).filter(({ name: one }) => /resiz|wide|tall/.test(one))) {
    const [forwards, back] = [load(text()), load(text())];
    const { durationMs } = forwards;
    await back.seek(durationMs);
    for (const part of [0, 0.3, 0.6, 1]) {
      await forwards.seek(durationMs * part);
      await back.seek(0);
      await back.seek(durationMs * part);
      expect(shown(back), `${name} at ${part}`).toEqual(shown(forwards));
    }
    forwards.close();
    back.close();
  }
});

test('seeks backwards in a long recording from kept screens, with the same result', async () => {
  const recording = new Recording({ cols: 40, rows: 5 });
  const chunk = (at: number) => Buffer.from(`${LINES}\x1b[3${at % 8}mpart ${at}\r\n`);
  for (let at = 0; at < 40; at++) recording.add({ timeMs: at * 1000, kind: 'out', bytes: chunk(at) });
  const seen: unknown[] = [];
  for (let at = 0; at < 40; at++) {
    await recording.seek(at * 1000);
    seen.push(shown(recording));
  }
  for (const at of [38, 20, 11, 0, 39]) {
    await recording.seek(at * 1000);
    expect(shown(recording), `part ${at}`).toEqual(seen[at]);
  }
  recording.close();
});

test('shortens long pauses, and still finds moments of the recording', async () => {
  const recording = new Recording({ cols: 20, rows: 2 }, { maxIdleMs: 500 });
  for (const [timeMs, text] of [
    [100, 'one '],
    [10_100, 'two '],
    [10_200, 'three'],
  ] as const) {
    recording.add({ timeMs, kind: 'out', bytes: Buffer.from(text) });
  }
  expect(recording.durationMs).toBe(700);
  const at = async (timeMs: number) => {
    await recording.seek(recording.playTime(timeMs));
    return recording.screen.look({})[0]?.trim();
  };
  expect([await at(0), await at(5_000), await at(10_099), await at(10_100), await at(99_000)]).toEqual([
    '',
    'one',
    'one',
    'one two',
    'one two three',
  ]);
  recording.close();
});
