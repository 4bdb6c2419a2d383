/**
 * Every case in fixtures/ears: `input.txt` (a program's output, lines ended by LF), `input.bin` (raw), `input.cast`, or
 * `input.journal` (one happening a line, `out` as text, `time` in milliseconds), and in `expected.json` the findings.
 * Each is read whole, split at every place, byte by byte, and from a checkpoint after every record.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../ears/index.js';
import { createRecorder, type Happening } from '../recordings/made-journal.js';
import { hearCast, hearTerminal } from '../recordings/parse.js';
import { createHearing } from './session-hearing.js';

const FOLDER = join(import.meta.dirname, '../../../fixtures/ears');
/** An input with less output is cut at every byte, a longer one at sampled places. */
const MAX_EVERY_CUT_BYTES = 4096;
const SAMPLES = 60;
/** Distance of the places at which one reading is cut, so that a long input does not need a reading for each place. */
const PIECE_BYTES = 64;
/** The sampled places of a long input are divided among this many readings. */
const SAMPLED_READINGS = 8;
const EXIT: Happening = { kind: 'exit', exitCode: 0, signal: null, leftOpen: false, escaped: [] };
const START: Happening = { kind: 'start', sessionId: 's', command: ['agent'], cwd: '/', pid: 1, cols: 80, rows: 24 };

type Cut = (bytes: Uint8Array) => Uint8Array[];

/** Returns the findings without `at`: only the record that completed a finding may depend on how the output was cut. */
function hear(happenings: readonly Happening[], cut: Cut, isRestored = false): Omit<Finding, 'at' | 'time'>[] {
  const record = createRecorder();
  let hearing = createHearing();
  return happenings
    .flatMap((happening): Happening[] =>
      happening.kind === 'out' ? cut(happening.bytes).map((bytes) => ({ ...happening, bytes })) : [happening],
    )
    .flatMap((happening) => {
      const findings = hearing.push(record(happening));
      const state = isRestored ? hearing.state() : null; // null while the program paints
      if (state !== null) hearing = createHearing({ checkpoint: JSON.parse(JSON.stringify(state)) });
      return findings.map(({ at: _at, time: _time, ...finding }) => finding);
    });
}

const whole: Cut = (bytes) => [bytes];
const single: Cut = (bytes) => Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
const cutAt =
  (places: readonly number[]): Cut =>
  (bytes) =>
    [0, ...places].map((from, index) => bytes.subarray(from, places[index]));

/** Returns the places for each reading: every place of an input, or samples of a long one. */
function readingsOf(size: number, isLong: boolean): number[][] {
  const samples = Array.from({ length: SAMPLES - 1 }, (_, step) => Math.floor(((step + 1) * size) / SAMPLES));
  const every = Array.from({ length: size - 1 }, (_, at) => at + 1);
  const [places, readings] = isLong ? [samples, SAMPLED_READINGS] : [every, PIECE_BYTES];
  return Array.from({ length: readings }, (_, first) => places.filter((_at, index) => index % readings === first));
}

function readHappenings(text: string): Happening[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const happening = JSON.parse(line) as Record<string, unknown>;
      if (happening['kind'] === 'start') return { ...START, ...happening };
      if (happening['kind'] !== 'out') return happening as unknown as Happening;
      const { text, ...rest } = happening;
      return { ...rest, kind: 'out', bytes: Buffer.from(String(text), 'utf8') };
    });
}

describe('fixtures/ears', () => {
  const cases = readdirSync(FOLDER).filter((name) => !name.startsWith('.'));

  it.each(cases)('%s', (name) => {
    const at = (file: string): string => join(FOLDER, name, file);
    const expected: unknown = existsSync(at('expected.json'))
      ? JSON.parse(readFileSync(at('expected.json'), 'utf8'))
      : null;
    const agree = (actual: unknown): void => {
      if (process.env['WRITE_EXPECTED'] && !isDeepStrictEqual(actual, expected)) {
        writeFileSync(at('expected.json'), `${JSON.stringify(actual, null, 2)}\n`);
      } else expect(actual).toEqual(expected);
    };

    if (existsSync(at('input.cast'))) {
      agree(hearCast(readFileSync(at('input.cast'), 'utf8')));
      return;
    }
    let happenings: Happening[];
    if (existsSync(at('input.journal'))) {
      happenings = readHappenings(readFileSync(at('input.journal'), 'utf8'));
      agree(JSON.parse(JSON.stringify(hear(happenings, whole))));
    } else {
      const bytes = readFileSync(existsSync(at('input.txt')) ? at('input.txt') : at('input.bin'));
      agree(hearTerminal(bytes, { cols: 80, rows: 24 }));
      happenings = [START, { kind: 'out', bytes }, EXIT];
    }
    const heard = hear(happenings, whole);
    expect(hear(happenings, single), 'byte by byte').toEqual(heard);
    const sizes = happenings.map((happening) => (happening.kind === 'out' ? happening.bytes.length : 0));
    const size = Math.max(...sizes);
    const isLong = sizes.reduce((total, one) => total + one, 0) > MAX_EVERY_CUT_BYTES;
    if (!isLong) expect(hear(happenings, single, true), 'from a checkpoint after every byte').toEqual(heard);
    for (const places of readingsOf(size, isLong)) {
      if (places.length === 0) continue;
      expect(hear(happenings, cutAt(places)), `cut at ${places}`).toEqual(heard);
      if (isLong) expect(hear(happenings, cutAt(places), true), `from checkpoints at ${places}`).toEqual(heard);
    }
  });

  it('has more than 60 cases', () => {
    expect(cases.length).toBeGreaterThan(60);
  });
});
