/**
 * Every case in fixtures/ears: `input.txt` (a program's output, lines ended by LF), `input.bin` (raw), `input.cast`, or
 * `input.journal` (one happening a line, `out` as text, `time` in milliseconds), and in `expected.json` the findings.
 * Each is read whole, split at every place, byte by byte, and from a checkpoint after every record.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../ears/index.js';
import { createRecorder, type Happening } from '../recordings/made-journal.js';
import { hearCast, hearTerminal } from '../recordings/parse.js';
import { createHearing } from './session-hearing.js';

const FOLDER = join(import.meta.dirname, '../../../fixtures/ears');
/** An input with less output is cut at every byte, a longer one at sampled places. */
const MAX_EVERY_CUT_BYTES = 4096;
const SAMPLES = 60;
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
  (at: number): Cut =>
  (bytes) => [bytes.subarray(0, at), bytes.subarray(at)];

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
      if (expected === null && process.env['WRITE_EXPECTED']) {
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
    for (let step = 1; step < (isLong ? SAMPLES : size); step++) {
      const cut = isLong ? Math.floor((step * size) / SAMPLES) : step;
      expect(hear(happenings, cutAt(cut)), `cut at ${cut}`).toEqual(heard);
      if (isLong) expect(hear(happenings, cutAt(cut), true), `from a checkpoint at ${cut}`).toEqual(heard);
    }
  });

  it('has more than 60 cases', () => {
    expect(cases.length).toBeGreaterThan(60);
  });
});
