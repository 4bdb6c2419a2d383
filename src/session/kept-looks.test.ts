/**
 * Looks that are kept and not read are as good as looks that are read: ears that get one or the other know the same.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../test/harness/tries.js';
import { type Look, ScreenEar, type ScreenEarState, type Utterance } from '../ears/index.js';
import { GENERIC } from './adapters/index.js';
import { Emulator } from './emulator.js';

const COLS = 40;
const ROWS = 8;
const MESSAGE = '{"type": "QUESTION", "data": {"question": "Go on?"}}';

interface Eye {
  readonly emulator: Emulator;
  readonly ear: ScreenEar;
  readonly looks: Look[];
  readonly told: Utterance[];
  readonly seen: number[];
  state(): ScreenEarState;
}

function openEye(mayKeep: boolean): Eye {
  const ear = new ScreenEar(GENERIC.screen, { turn: 0, isHistory: false, prompt: '' });
  const [looks, told, seen]: [Look[], Utterance[], number[]] = [[], [], []];
  const emulator = new Emulator({
    cols: COLS,
    rows: ROWS,
    onLook: (look) => {
      looks.push(look);
      told.push(...ear.look(look));
    },
    onSeen: (at) => seen.push(at),
    isCalm: () => mayKeep && ear.isCalm,
    onTitle: () => {},
  });
  const state = (): ScreenEarState => {
    emulator.catchUp();
    return ear.state();
  };
  return { emulator, ear, looks, told, seen, state };
}

const row = fc.integer({ min: 1, max: ROWS });
const words = fc
  .array(fc.constantFrom('the', 'session', '日本', 'é', '❤️', '● read', '12:30', '⎿ out', '~/proj', '{', '│ a', '<b>'), {
    maxLength: 8,
  })
  .map((all) => all.join(' '));
const plain = fc
  .array(fc.constantFrom('the', 'session', '日本', 'é', '●', '12:30'), { maxLength: 12 })
  .map((all) => all.join(' '));
const painted = fc
  .tuple(row, fc.oneof({ weight: 4, arbitrary: plain }, words))
  .map(([y, text]) => `\x1b[${y};1H\x1b[2K${text}`);
const frame = fc.array(painted, { minLength: 1, maxLength: 5 }).map((rows) => `\x1b[?2026h${rows.join('')}\x1b[?2026l`);
const piece = fc.oneof(
  { weight: 8, arbitrary: frame },
  { weight: 4, arbitrary: painted },
  { weight: 2, arbitrary: plain.map((text) => `\x1b[${ROWS};1H\r\n${text}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '\x1b[2J\x1b[H',
      '\x1b[?1049h',
      '\x1b[?1049l',
      '\x1b[3J',
      '\x1b[H\x1b[2P',
      '\x1b[H\x1b[2L',
    ),
  },
  { weight: 1, arbitrary: row.map((y) => `\x1b[${y};1H\x1b[2K${MESSAGE}\x1b[H`) },
  { weight: 1, arbitrary: fc.constant('\x1b[?2026h\x1b[2;1Hhalf a picture') },
);
type Then = 'on' | 'state' | 'rest' | 'resize';
/** Found by searching. */
const EXAMPLES: [[string, Then][]][] = [
  [
    [
      ['\x1b[1;1H\x1b[2Kthe', 'on'],
      // What stands there at rest was not closed by anything.
      ['\x1b[1;1H\x1b[2K{', 'rest'],
      ['\x1b[?2026h\x1b[1;1H\x1b[2Kthe\x1b[1;1H\x1b[2K\x1b[?2026l', 'on'],
    ],
  ],
  [
    [
      ['\x1b[6;1H\x1b[2Kthe session the session 12:30 session the', 'on'],
      [`\x1b[7;1H\x1b[2K${MESSAGE}\x1b[H`, 'on'],
      ['\x1b[1;1H\x1b[2Kthe', 'resize'],
    ],
  ],
];

describe('a look that is kept', () => {
  it('leaves the ear with what every look would have told it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(piece, fc.constantFrom<Then[]>('on', 'on', 'on', 'state', 'rest', 'resize')), {
          maxLength: 60,
        }),
        (pieces) => {
          const eyes = [openEye(true), openEye(false)] as const;
          let position = 0;
          for (const [text, then] of pieces) {
            const bytes = Buffer.from(text);
            for (const { emulator } of eyes) {
              emulator.feed(bytes, position);
              if (then === 'rest') emulator.rest(position + bytes.length);
              if (then === 'resize') emulator.resize(COLS + (position % 3), ROWS);
            }
            position += bytes.length;
            if (then === 'state') expect(eyes[0].state()).toEqual(eyes[1].state());
          }
          const [kept, read] = eyes;
          expect(kept.state()).toEqual(read.state());
          expect(kept.told).toEqual(read.told);
          expect(kept.seen).toEqual(read.seen);
          for (const { emulator } of eyes) emulator.dispose();
        },
      ),
      { ...tries(150), examples: EXAMPLES },
    );
  });

  it('is not read, unless what is known of the screen is asked for', () => {
    const { emulator, looks, seen, state } = openEye(true);
    let position = 0;
    for (let frames = 0; frames < 50; frames++) {
      const bytes = Buffer.from(`\x1b[?2026h\x1b[2;1H\x1b[2Kthe test ${frames} at 12:30\x1b[?2026l`);
      emulator.feed(bytes, position);
      position += bytes.length;
    }
    expect(seen.length).toBeGreaterThanOrEqual(50);
    expect(looks).toHaveLength(1);
    expect(state().held?.rows.map((each) => each.text)).toContain('the test 49 at 12:30');
    expect(looks).toHaveLength(2);
    emulator.dispose();
  });

  it('is read where a row could begin a message, wherever on the screen it stands', () => {
    const { emulator, told } = openEye(true);
    let position = 0;
    for (const text of ['one', 'two', MESSAGE]) {
      const bytes = Buffer.from(
        `\x1b[?2026h\x1b[3;1H\x1b[2K${text.slice(0, COLS)}\x1b[4;1H${text.slice(COLS)}\x1b[?2026l`,
      );
      emulator.feed(bytes, position);
      position += bytes.length;
    }
    expect(told).toMatchObject([{ form: 'fence' }]);
    emulator.dispose();
  });
});
