/** Formats bytes for people: every byte can be identified, and none controls the terminal. */
import { withoutControls } from '../../protocol/index.js';

const NAMES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\x1b': '\\e', '\\': '\\\\' };
const SEQUENCES =
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/** Returns, for example, `\e[1m`, `\r\n`, `\x07`; a byte that is not UTF-8 as `\xff`. */
export function escaped(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8').decode(bytes);
  if (!text.includes('\ufffd')) return escapeText(text);
  // The bytes contain invalid UTF-8, so each character is checked separately.
  let out = '';
  for (let at = 0; at < bytes.length; ) {
    const length = charBytes(bytes, at);
    out +=
      length === 0
        ? `\\x${hex(bytes[at] ?? 0)}`
        : escapeText(Buffer.from(bytes.subarray(at, at + length)).toString('utf8'));
    at += Math.max(1, length);
  }
  return out;
}

/** Removes control sequences and keeps line feeds. Cursor movements become a blank. */
export const plain = (bytes: Uint8Array): string =>
  withoutControls(
    Buffer.from(bytes)
      .toString('utf8')
      .replaceAll(SEQUENCES, (sequence) => (/^\x1b\[.*[A-HJKXf`d]$/.test(sequence) ? ' ' : ''))
      .replaceAll(/\r+\n/g, '\n'),
  );

const escapeText = (text: string): string =>
  text.replaceAll(/[\x00-\x1f\\\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, (char) => {
    const code = char.charCodeAt(0);
    return NAMES[char] ?? (code < 0x80 ? `\\x${hex(code)}` : `\\u{${code.toString(16)}}`);
  });

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

/** Returns the length in bytes of the character at a position; 0 if none begins there. */
function charBytes(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  return Buffer.from(bytes.subarray(at, at + length))
    .toString('utf8')
    .includes('\ufffd')
    ? 0
    : length;
}
