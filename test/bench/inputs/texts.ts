/**
 * Lines as programs print them, which do not repeat: `plain` (ASCII), `sgr` (the same coloured), `utf8` (other
 * scripts, wide characters, emoji, combining marks). Each call returns one line with its line break.
 */
import type { Vocabulary } from './vocabulary.js';

type Line = (v: Vocabulary) => string;

const two = (value: number): string => String(value).padStart(2, '0');
const time = (v: Vocabulary): string => `${two(v.below(24))}:${two(v.below(60))}:${two(v.below(60))}`;
const date = (v: Vocabulary): string => `20${two(v.between(10, 39))}-${two(v.between(1, 12))}-${two(v.between(1, 28))}`;

const SHAPES: readonly Line[] = [
  // a log
  (v) =>
    `${date(v)}T${time(v)}.${v.below(1000)}Z ${v.pick(['INFO', 'DEBUG', 'WARN', 'ERROR', 'trace'])} ` +
    `${v.word()}[${v.below(40_000)}]: ${v.words(v.between(3, 14))} ${v.word()}=${v.figure()} ` +
    `${v.word()}=${v.hash(8)}`,
  (v) => `[${time(v)}] ${v.name()}: ${v.sentence(4, 20)}`,
  // a compiler and a test runner
  (v) => `${v.path()}:${v.below(2000)}:${v.below(120)} - error TS${v.below(10_000)}: ${v.sentence(5, 16)}`,
  (v) => `    at ${v.name()}.${v.name()} (${v.path()}:${v.below(3000)}:${v.below(90)})`,
  (v) => `${v.once(9) ? 'not ok' : 'ok'} ${v.below(10_000)} - ${v.words(v.between(4, 12))} (${v.figure()})`,
  // git, diff, ls
  (v) => `${v.hash(v.pick([7, 9, 40]))} ${v.sentence(3, 10)}`,
  (v) => `${v.pick(['+', '-', ' '])}${v.code()}`,
  (v) =>
    `${v.pick(['-rw-r--r--', 'drwxr-xr-x', 'lrwxrwxrwx'])} ${v.between(1, 9)} ${v.word()} ${v.word()} ` +
    `${String(v.below(10_000_000)).padStart(9)} ${date(v)} ${time(v)} ${v.path()}`,
  // code, JSON, tables, prose
  (v) => v.code(),
  (v) => v.code(),
  (v) =>
    JSON.stringify({
      [v.word()]: v.name(),
      id: v.hash(12),
      [v.name()]: v.below(1e6),
      [v.word()]: [v.word(), v.path()],
    }),
  (v) => `| ${v.name().padEnd(32)} | ${v.figure().padStart(14)} | ${v.words(v.between(2, 6)).padEnd(44)} |`,
  (v) => `${v.pick(['', '', '- ', '  * ', '> ', `${v.between(1, 40)}. `, '## '])}${v.sentence(6, 22)}`,
  (v) => `${v.sentence(8, 20)} ${v.sentence(8, 20)} ${v.sentence(4, 30)}`,
];

/**
 * Returns a line of ASCII: logs, errors, diffs, listings, code, JSON, tables, prose. Some are empty, some very long.
 */
export function plainLine(v: Vocabulary): string {
  if (v.once(40)) return '\n';
  if (v.once(300)) return `${Array.from({ length: v.between(4, 14) }, () => v.pick(SHAPES)(v)).join(' ')}\n`;
  return `${v.pick(SHAPES)(v)}\n`;
}

const RESETS = ['\x1b[0m', '\x1b[m', '\x1b[39m', '\x1b[22;39m', '\x1b[39;49m'];

/** A sequence that sets a colour or an attribute. */
export function style(v: Vocabulary): string {
  return v.pick([
    () => `\x1b[${v.between(30, 37)}m`,
    () => `\x1b[${v.between(90, 97)}m`,
    () => `\x1b[1;${v.between(31, 36)}m`,
    () => `\x1b[38;5;${v.below(256)}m`,
    () => `\x1b[38;2;${v.below(256)};${v.below(256)};${v.below(256)}m`,
    () => `\x1b[38:2::${v.below(256)}:${v.below(256)}:${v.below(256)}m`,
    () => `\x1b[48;5;${v.below(256)}m`,
    () => `\x1b[${v.pick(['1', '2', '3', '4', '7', '9', '4:3', '1;3'])}m`,
  ])();
}

/**
 * Returns a line of `plainLine` with colours: by word like a highlighter, by row like a diff, by character like a
 * gradient, with links.
 */
export function sgrLine(v: Vocabulary): string {
  const text = plainLine(v).trimEnd();
  const coloured = v.pick([
    () => text.replace(/[A-Za-z_]{3,}|\d+/g, (token) => (v.once(4) ? token : `${style(v)}${token}${v.pick(RESETS)}`)),
    () => text.replace(/\S+/g, (token) => `${style(v)}${token}\x1b[0m`),
    () => `${style(v)}${style(v)}${text}\x1b[K\x1b[0m`,
    () => `${style(v)}${text.slice(0, 12)}\x1b[0m${text.slice(12, 30)}${style(v)}${text.slice(30)}\x1b[m`,
    () =>
      `\x1b]8;;https://${v.word()}.example/${v.hash(10)}\x1b\\${style(v)}${text.slice(0, 40)}\x1b[0m\x1b]8;;\x1b\\${text.slice(40)}`,
    () => (v.once(4) ? gradient(v, text.slice(0, 60)) : `${style(v)}${text}\x1b[0m`),
  ])();
  return `${coloured}\n`;
}

function gradient(v: Vocabulary, text: string): string {
  const [red, green, blue] = [v.below(200), v.below(200), v.below(200)];
  const step = v.between(1, 4);
  return `${[...text].map((char, at) => `\x1b[38;2;${(red + at * step) % 256};${green};${(blue + at) % 256}m${char}`).join('')}\x1b[0m`;
}

type Piece = (v: Vocabulary) => string;

const letters =
  (first: number, last: number, least: number, most: number): Piece =>
  (v) =>
    String.fromCodePoint(...Array.from({ length: v.between(least, most) }, () => v.between(first, last)));

const EMOJI: readonly (readonly [number, number])[] = [
  [0x1f300, 0x1f320],
  [0x1f400, 0x1f43e],
  [0x1f600, 0x1f64f],
  [0x1f680, 0x1f6c5],
  [0x1f90d, 0x1f93a],
];
const emoji: Piece = (v) => String.fromCodePoint(v.between(...v.pick(EMOJI)));
const MARKS = ['\u0300', '\u0301', '\u0302', '\u0303', '\u0308', '\u030a', '\u0327'];

/** A syllable of Devanagari: a consonant with a vowel sign, or with a virama and another consonant. */
const devanagari: Piece = (v) =>
  String.fromCodePoint(v.between(0x915, 0x939), v.once(4) ? 0x94d : v.between(0x93e, 0x948), v.between(0x915, 0x939));
const thai: Piece = (v) =>
  String.fromCodePoint(v.between(0xe01, 0xe2e), v.between(0xe34, 0xe39), v.between(0xe01, 0xe2e));
/** A flag: two regional indicators. */
const flag: Piece = (v) => String.fromCodePoint(v.between(0x1f1e6, 0x1f1ff), v.between(0x1f1e6, 0x1f1ff));

export const PIECES: readonly Piece[] = [
  letters(0x4e00, 0x9fa5, 2, 12),
  letters(0x4e00, 0x9fa5, 2, 6),
  letters(0xac00, 0xd7a3, 2, 7),
  letters(0x3041, 0x3093, 2, 9),
  letters(0x30a1, 0x30f6, 2, 9),
  letters(0x430, 0x44f, 3, 11),
  letters(0x3b1, 0x3c9, 3, 11),
  letters(0x5d0, 0x5ea, 3, 8),
  letters(0x2800, 0x28ff, 3, 20),
  letters(0x2580, 0x259f, 2, 20),
  letters(0x2500, 0x257f, 2, 20),
  letters(0x2190, 0x21ff, 1, 2),
  letters(0xe0, 0xf6, 3, 9),
  (v) => devanagari(v) + devanagari(v),
  (v) => thai(v) + thai(v),
  (v) => v.word().replace(/[aeiou]/g, (vowel) => vowel + v.pick(MARKS)),
  emoji,
  (v) => emoji(v) + emoji(v) + emoji(v),
  flag,
  (v) => String.fromCodePoint(v.between(0x1f466, 0x1f469), v.between(0x1f3fb, 0x1f3ff)), // with a skin colour
  (v) => `${v.pick(['👩', '👨'])}\u200d${v.pick(['💻', '🔬', '🚀', '🎓', '🔧'])}`, // joined
  (v) => `${v.pick(['❤', '✈', '☎', '⚠', 'ℹ'])}\ufe0f`, // shown as emoji
];

/** Returns a line in which three of four words are in other scripts, wide, joined, combined or emoji. */
export function utf8Line(v: Vocabulary): string {
  let text = v.once(3) ? `${time(v)} ` : '';
  for (let left = v.between(4, 16); left > 0; left--)
    text += `${v.once(4) ? v.word() : v.pick(PIECES)(v)}${v.once(8) ? '' : ' '}`;
  return `${text}${v.figure()}\n`;
}
