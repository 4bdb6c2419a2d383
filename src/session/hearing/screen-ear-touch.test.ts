/**
 * The screen ear skips looks in which only unimportant rows changed. Two ears are compared after each look: one gets
 * the changed rows, the other reads all rows. Their findings and their states must be equal.
 */
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../test/harness/tries.js';
import { recordingsIn } from '../../../test/recordings.js';
import { type Look, ScreenEar, type ScreenRules } from '../../ears/index.js';
import { adapterNamed, GENERIC } from '../adapters/index.js';
import { parseCast, parseSize } from '../recordings/cast.js';
import { Emulator } from '../screen/emulator.js';

const FOLDER = join(import.meta.dirname, '../../../fixtures/screen');
/** Longer recordings take much time and add no cases. */
const MAX_CHARS = 150_000;
const START = { turn: 0, isHistory: false, prompt: '' };

/** Two ears that read the same emulator. After each look, their states must be equal. */
class Twins {
  readonly #quick: ScreenEar;
  readonly #thorough: ScreenEar;
  #turn = 0;
  /** Number of looks that reported some, but not all, rows as changed. */
  partial = 0;

  constructor(rules: ScreenRules) {
    this.#quick = new ScreenEar(rules, START);
    this.#thorough = new ScreenEar(rules, START);
  }

  look(look: Look): void {
    if (look.changed && look.changed.length < look.size) this.partial++;
    expect(this.#quick.look(look)).toEqual(this.#thorough.look({ ...look, changed: null }));
    this.#compare();
  }

  settle(): void {
    expect(this.#quick.settle()).toEqual(this.#thorough.settle());
    expect(this.#quick.takeNearMisses()).toEqual(this.#thorough.takeNearMisses());
    this.#compare();
  }

  submit(prompt: string): void {
    const start = { turn: ++this.#turn, isHistory: false, isEmptied: false, prompt };
    expect(this.#quick.beginTurn(start)).toEqual(this.#thorough.beginTurn(start));
    this.#compare();
  }

  #compare(): void {
    const [quick, thorough] = [this.#quick, this.#thorough].map((ear) => {
      const { torn, ...state } = ear.state();
      return JSON.stringify({ ...state, torn: torn && { ...torn, changed: null }, isWaiting: ear.isWaiting });
    });
    // Compared as texts: a difference would be some thousand rows long.
    expect(quick === thorough, 'the same state').toBe(true);
  }
}

const rulesOf = (name: string): ScreenRules => {
  const adapter = adapterNamed(name) ?? GENERIC;
  return { ...adapter.screen, isKnown: adapter !== GENERIC };
};

describe('a screen ear that reads only changed rows', () => {
  const recordings = recordingsIn(FOLDER)
    .map(({ name, text }) => ({ name, text: text() }))
    .filter(({ text }) => text.length < MAX_CHARS);

  it.each(recordings)('finds in $name the same as an ear that reads all rows', ({ name, text }) => {
    const reading = parseCast(text);
    if (!reading.ok) throw new Error(reading.message);
    const { cols, rows, events } = reading.cast;
    const twins = new Twins(rulesOf(name.split('-')[0] ?? ''));
    const emulator = new Emulator({ cols, rows, onTitle: () => {} });
    let at = 0;
    for (const { kind, data } of events) {
      if (kind === 'o') {
        const bytes = Buffer.from(data, 'utf8');
        emulator.feed(bytes);
        at += bytes.length;
        twins.look(emulator.look(at, data.endsWith('\x1b[?2026l')));
      } else if (kind === 'i' && data.includes('\r')) twins.submit(data.trim());
      else if (kind === 'r') {
        const size = parseSize(data);
        if (size) emulator.resize(size.cols, size.rows);
      }
    }
    twins.settle();
    emulator.dispose();
  });

  it('finds in random changes the same as an ear that reads all rows', () => {
    const row = fc.constantFrom(
      '',
      '  words',
      '  other words',
      '● words',
      '⠋ Working…',
      '⠙ Working…',
      '⎿ 3 files',
      '    more of it',
      '```',
      '```js',
      '{"type":"QUESTION","data":{"question":"Which',
      'one?"}}',
      '{"type":"QUESTION","data":{"question":"Why?"}}',
      ':ORCHESTRATOR: QUESTION - Which',
      ':ORCHESTRATOR: TASK COMPLETE',
      '- :ORCHESTRATOR: BLOCKED - x',
      '> go',
      '────────',
    );
    const change = fc.record({ y: fc.nat(9), text: row, isFramed: fc.boolean(), rests: fc.boolean() });
    let partial = 0;
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), fc.boolean(), (changes, isKnown) => {
        const twins = new Twins({ ...GENERIC.screen, isKnown });
        const emulator = new Emulator({ cols: 60, rows: 10, onTitle: () => {} });
        emulator.feed(Buffer.from('\x1b[?1049h\x1b[2J'));
        twins.submit('go');
        changes.forEach(({ y, text, isFramed, rests }, at) => {
          emulator.feed(Buffer.from(`\x1b[${y + 1};1H\x1b[K${text}`));
          twins.look(emulator.look(at, isFramed));
          if (rests) twins.settle();
        });
        twins.settle();
        partial += twins.partial;
        emulator.dispose();
      }),
      tries(300),
    );
    expect(partial).toBeGreaterThan(300);
  });
});
