/**
 * Recordings of real agents' screens, in fixtures/adapters: `input.cast` is the recording, and `signals.json` lists the
 * expected signals in order: `busy`, `idle`, dialogs with their texts and choices. Each recording gives the same
 * signals however its output is split.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../ears/index.js';
import { ADAPTERS } from '../adapters/index.js';
import { createHearing } from '../hearing/session-hearing.js';
import { parseCast, parseSize } from '../recordings/cast.js';
import { createRecorder, type Happening } from '../recordings/made-journal.js';

const FOLDER = join(import.meta.dirname, '../../../fixtures/adapters');
/** Adapters without a recording of a dialog: those of pi are its extensions', and Kilo's are OpenCode's. */
const WITHOUT_DIALOG = ['pi', 'kilo'];
const MAX_SINGLE_BYTES = 30_000;
/** Silence after the last output, so that all waiting findings are reported. */
const END_QUIET_MS = 1000;

type Cut = (bytes: Buffer) => Buffer[];

const cases = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(join(FOLDER, name)).map((kind) => join(name, kind)))
  .filter((path) => existsSync(join(FOLDER, path, 'signals.json')) || process.env['WRITE_EXPECTED'])
  .filter((path) => existsSync(join(FOLDER, path, 'input.cast')));

/** The findings of a recording, with the ticks that were ordered. */
function hear(text: string, adapter: string, cut: Cut): Finding[] {
  const reading = parseCast(text);
  if (!reading.ok) throw new Error(reading.message);
  const { cols, rows, events } = reading.cast;
  const record = createRecorder();
  const hearing = createHearing({ adapter });
  const found: Finding[] = [];
  let clock = 0;
  const push = (happening: Happening): void => {
    found.push(...hearing.push(record({ ...happening, time: clock })));
  };
  let before = 0;
  const rest = (forMs: number): void => {
    let last = 0;
    for (let tick = hearing.wantsTick(); tick && tick.quietMs > last; tick = hearing.wantsTick()) {
      last = tick.quietMs;
      if (last > forMs) continue;
      clock = Math.max(clock, before + last);
      push({ kind: 'tick', quietMs: last });
    }
  };
  push({ kind: 'start', sessionId: 's', command: [adapter], cwd: '/', pid: 1, cols, rows });
  for (const { timeMs, kind, data } of events) {
    if (kind === 'm') continue;
    rest(timeMs - before);
    before = timeMs;
    clock = timeMs;
    if (kind === 'o') for (const bytes of cut(Buffer.from(data, 'utf8'))) push({ kind: 'out', bytes });
    const submits = data.endsWith('\r');
    if (kind === 'i') push({ kind: 'input', phase: 'begin', writeId: null, text: data, length: data.length, submits });
    const size = kind === 'r' ? parseSize(data) : null;
    if (size) push({ kind: 'resize', ...size });
  }
  rest(END_QUIET_MS);
  return found;
}

/** Returns the findings about turns, activity and requests to the user, without positions. */
function signalsOf(findings: readonly Finding[]): unknown[] {
  return findings.flatMap((finding): unknown[] => {
    if (finding.kind === 'turn') return [{ turn: finding.turn }];
    if (finding.kind === 'activity') return [{ activity: finding.activity, source: finding.source }];
    if (finding.kind === 'attention')
      return [{ attention: finding.source, text: finding.text, choices: finding.choices }];
    if (finding.kind === 'attention_over') return [{ over: finding.source, wasTyped: finding.wasTyped }];
    return finding.kind === 'busy' ? [{ busy: finding.turn }] : [];
  });
}

function placeless(findings: readonly Finding[]): unknown[] {
  return findings.map(({ at: _at, time: _time, ...finding }) => finding);
}

function pieces(bytes: Buffer, size: (at: number) => number): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += (parts.at(-1) ?? bytes).length)
    parts.push(bytes.subarray(at, at + size(at)));
  return parts;
}

describe('fixtures/adapters', () => {
  it.each(cases)('%s', (path) => {
    const text = readFileSync(join(FOLDER, path, 'input.cast'), 'utf8');
    const [adapter = ''] = path.split(/[\\/]/);
    const whole = hear(text, adapter, (bytes) => [bytes]);
    const file = join(FOLDER, path, 'signals.json');
    if (process.env['WRITE_EXPECTED']) writeFileSync(file, `${JSON.stringify(signalsOf(whole), null, 2)}\n`);
    expect(signalsOf(whole)).toEqual(JSON.parse(readFileSync(file, 'utf8')));

    const cut = hear(text, adapter, (bytes) => pieces(bytes, (at) => 1 + ((at * 7919) % 257)));
    expect(placeless(cut), 'cut anywhere').toEqual(placeless(whole));
    if (text.length > MAX_SINGLE_BYTES) return;
    const single = hear(text, adapter, (bytes) => pieces(bytes, () => 1));
    expect(placeless(single), 'byte by byte').toEqual(placeless(whole));
  });

  it('contain a dialog of every agent that has one', () => {
    const asking = cases.filter((path) =>
      readFileSync(join(FOLDER, path, 'signals.json'), 'utf8').includes('"dialog"'),
    );
    const asks = ADAPTERS.filter(({ name, signals }) => signals && !WITHOUT_DIALOG.includes(name)).map(
      ({ name }) => name,
    );
    expect([...new Set(asking.map((path) => path.split(/[\\/]/)[0]))].sort()).toEqual(asks.sort());
  });
});
