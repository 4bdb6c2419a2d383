/**
 * Random terminal output: common output of programs, possible output, and broken output.
 *
 * A case is a list of pieces. Each piece is complete by itself, or broken on purpose. The same seed gives the same
 * cases.
 */
import type { Random } from '../harness/random.js';

type Make = (random: Random) => string;

// The lists here are never empty.
const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)] as T;
const one =
  (...list: readonly string[]): Make =>
  (random) =>
    pick(random, list);

/** Returns a parameter: mostly small, sometimes absent, zero or far too large. */
function count(random: Random): string {
  const kind = random.below(12);
  if (kind < 2) return '';
  if (kind === 2) return '0';
  if (kind === 3) return pick(random, ['99', '1000', '70000']);
  return String(1 + random.below(kind < 9 ? 4 : 24));
}

const counted =
  (...finals: readonly string[]): Make =>
  (random) =>
    `\x1b[${count(random)}${pick(random, finals)}`;

const WORDS = ['a', 'ab', 'hello ', 'x y z', '0123456789', 'The quick brown fox ', 'e', '     ', 'qxtj'];
const WIDE = ['漢', '漢字', 'かな', '한글', '全角ＡＢ', 'a漢b', '漢字漢字漢字漢字漢字漢字'];
const COMBINING = ['e\u0301', 'o\u0308x', 'n\u0303n', 'ก\u0e33', 'x\u200b', 'a\u0323\u0307'];
const EMOJI = ['🙂', '🚀x', '👍🏽', '👩‍💻', '👨‍👩‍👧', '🇩🇪', '☎', '✔', '❤️', '⚠️', '✅', '⏳'];

const sgr: Make = (random) => {
  const code: Make = one(
    '0',
    '1',
    '2',
    '3',
    '4',
    '5',
    '7',
    '8',
    '9',
    '22',
    '23',
    '24',
    '25',
    '27',
    '28',
    '29',
    '31',
    '37',
    '39',
    '42',
    '47',
    '49',
    '53',
    '55',
    '90',
    '97',
    '100',
    '107',
    '38;5;3',
    '38;5;123',
    '48;5;200',
    '38;2;1;2;3',
    '48;2;250;128;0',
    '38:5:99',
    '',
  ); // prettier as a table
  return `\x1b[${Array.from({ length: 1 + random.below(3) }, () => code(random)).join(';')}m`;
};

const at: Make = (random) => `\x1b[${count(random)};${count(random)}${pick(random, ['H', 'H', 'H', 'f'])}`;
const margins: Make = (random) => {
  const top = 1 + random.below(6);
  return pick(random, [
    '\x1b[r',
    `\x1b[${top};${top + 1 + random.below(4)}r`,
    `\x1b[${count(random)};${count(random)}r`,
  ]);
};

/** The kinds of pieces with their frequency: text most often, and sequences that move all later output rarely. */
const FAMILIES: readonly (readonly [weight: number, make: Make])[] = [
  [14, one(...WORDS)],
  [4, one(...WIDE)],
  [2, one(...COMBINING)],
  [3, one(...EMOJI)],
  [6, one('\r\n', '\r\n', '\n', '\r', '\b', '\t', '\v', '\f')],
  [5, at],
  [9, counted('A', 'B', 'C', 'D', 'E', 'F', 'G', '`', 'd')],
  [3, counted('J')],
  [4, counted('K')],
  [5, counted('@', 'P', 'X', 'L\r', 'M\r')],
  [1, counted('L', 'M', 'S', 'b', 'I', 'a', 'e')],
  [2, counted('T')],
  [6, sgr],
  [3, margins],
  [1, one('\x1b[?6h', '\x1b[?6l')],
  [1, one('\x1b[?7h', '\x1b[?7l')],
  [1, one('\x1b[4h', '\x1b[4l')],
  [2, one('\x1b[g', '\x1b[3g', '\x1bH', '\x1b[0g')],
  [1, counted('Z')],
  [2, one('\x1bM', '\x1bD', '\x1bE')],
  [3, one('\x1b7', '\x1b8', '\x1b[s', '\x1b[u')],
  [
    2,
    one(
      '\x1b[?1049h',
      '\x1b[?1049l',
      '\x1b[?47h',
      '\x1b[?47l',
      '\x1b[?1047h',
      '\x1b[?1047l',
      '\x1b[?1048h',
      '\x1b[?1048l',
    ),
  ],
  [2, one('\x1b(0', '\x1b(B', '\x1b)0', '\x1b)B', '\x0e', '\x0f')],
  [
    1,
    one(
      '\x1b[?25l',
      '\x1b[?25h',
      '\x1b[?1h',
      '\x1b[?2004h',
      '\x1b=',
      '\x1b>',
      '\x1b[?1000h',
      '\x1b[?1006h',
      '\x1b[?12h',
    ),
  ],
  [1, one('\x1bc', '\x1b[!p', '\x1b#8', '\x1b[48:2::9m')],
  [
    1,
    one(
      '\x1b]0;a title\x07',
      '\x1b]2;another\x1b\\',
      '\x1b]4;1;#ff0000\x07',
      '\x1b]8;;http://x\x07',
      '\x1b]8;;\x07',
      '\x1b]133;A\x07',
    ),
  ],
  [
    1,
    one(
      '\x1bPq#0;2;0;0;0~~\x1b\\',
      '\x1b_Gx\x1b\\\x1b]2;x\x07',
      '\x1b^pm\x1b\\',
      '\x1bP1$r0m\x1b\\',
      '\x1b]1337;File=:AAAA\x07',
      '\x1bX sos \x1b\\',
    ),
  ],
  [
    2,
    one(
      '\x1b[?9999h',
      '\x1b[5;6y',
      '\x1b[>4;2m',
      '\x1b[=1u',
      '\x1b[1;2;3;4;5z',
      '\x1b[ q',
      '\x1b[2 q',
      '\x1b[1$|',
      '\x1b%G',
      '\x1b F',
      "\x1b[1'}",
    ),
  ],
  [
    2,
    one(
      '\x1b[3\x18',
      '\x1b[1;\x1ax',
      '\x1b\x1b[3D',
      '\x1b[\x1b[2C',
      '\x1b[2\nC',
      '\x1b[1\b;3H',
      '\x1b]0;cut\x1b[2D',
      '\x1b[;;;m',
      '\x1b[:m',
      '\x1b[3?D',
      '\x07',
      '\x00',
      '\x7f',
    ),
  ],
]; // prettier as a table

const TOTAL = FAMILIES.reduce((sum, [weight]) => sum + weight, 0);

function piece(random: Random): string {
  let left = random.below(TOTAL);
  for (const [weight, make] of FAMILIES) {
    left -= weight;
    if (left < 0) return make(random);
  }
  throw new Error('the weights do not add up');
}

const MAX_PIECES = 24;

export function randomCase(random: Random): string[] {
  return Array.from({ length: 1 + random.below(MAX_PIECES) }, () => piece(random));
}
