/**
 * ASCII: what the TUI, attach and tables draw on a terminal whose locale is not UTF-8, such as LANG=C. Borders and
 * marks get ASCII signs of the same width, and every other character that is not ASCII becomes `?`.
 *
 * The output of a program that is attached is not changed: it knows the locale itself.
 */
import { isAsciiLocale } from '../../protocol/index.js';
import { split, widthOf } from './text.js';

/** Each string of the keys is drawn as its value. */
const SIGNS: Readonly<Record<string, string>> = {
  '─━═┄╌╴╶┈╍–—−⎯': '-',
  '│┃║┆╎▏▎▌▐╵╷┊┇': '|',
  '╭╮╰╯┌┐└┘├┤┬┴┼╞╡╔╗╚╝╠╣╦╩╬┏┓┗┛┣┫┳┻╋': '+',
  '█▉▊▋■▪◼': '#',
  '░▒▓□▫◻': ':',
  '▀▔': '"',
  '▄▁▂▃▅▆▇': '_',
  '›▸▹▶▷→❯»': '>',
  '‹◂◃◀◁←❮«': '<',
  '↑▴▲△⇧': '^',
  '↓▾▼▽⇩': 'v',
  '↔↕⇄': '=',
  '●◆★•∙⏺◉◐◑◒◓✳✶✻': '*',
  '○◇☆◌': 'o',
  '·⋅': '.',
  '…': '~',
  '✓✔☑': '+',
  '✗✕✖×☒': 'x',
  '“”„': '"',
  '‘’‚': "'",
  '\u00a0\u2007\u202f': ' ',
};
const SIGN_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(SIGNS).flatMap(([from, to]) => Array.from(from, (char): [string, string] => [char, to])),
);
const FOREIGN = /[^\x00-\x7f]+/g;
const BRAILLE = /^[\u2800-\u28ff]$/;

/** Returns a text, which may contain control sequences, as the terminal can show it. Its width stays the same. */
export function inLocale(text: string, env: Readonly<Record<string, string | undefined>> = process.env): string {
  return isAsciiLocale(env) ? asciiOf(text) : text;
}

export const asciiOf = (text: string): string => text.replace(FOREIGN, (run) => split(run).map(signOf).join(''));

function signOf(char: string): string {
  const sign = SIGN_OF.get(char) ?? (BRAILLE.test(char) ? '*' : null);
  return sign ?? '?'.repeat(widthOf(char));
}
