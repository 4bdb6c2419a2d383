/** Files that programs print: the same bytes for the same kind and size. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Kind = 'plain' | 'sgr' | 'wide' | 'tui';

const WORDS =
  'the file was read and a test failed because session buffer could not find module path in build index while agent'.split(
    ' ',
  );

/** Numbers that look random and are the same every time (mulberry32). */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const random = createRandom(1);
const word = (): string => WORDS[random(WORDS.length)] ?? '';
const words = (count: number): string => Array.from({ length: count }, word).join(' ');
const WIDE =
  '日本語 漢字 한국어 中文字 🚀 ✅ 👩‍💻 🇯🇵 👍🏽 ❤️ e\u0301 n\u0303 ก็ हिन्दी Ωμέγα привет ─│┌┐ █▓▒░ naïve'.split(' ');
const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧';

const PIECES: Record<Kind, () => string> = {
  /** A log line. */
  plain: () => `2026-01-02T12:00:${10 + random(50)}.${100 + random(900)}Z INFO ${word()}: ${words(4 + random(9))}\n`,
  /** A line whose every word has a colour. */
  sgr: () =>
    `${Array.from({ length: 8 }, () => `\x1b[${random(3) > 0 ? 30 + random(8) : `38;5;${random(256)}`}m${word()}\x1b[0m`).join(' ')}\n`,
  /** A line of which four words in five are wide, emoji or combined. */
  wide: () => `${Array.from({ length: 10 }, () => (random(5) > 0 ? WIDE[random(WIDE.length)] : word())).join(' ')}\n`,
  /** A frame of a full-screen agent: some rows anew, a spinner. */
  tui: () => {
    const rows = Array.from(
      { length: 12 },
      () => `\x1b[${2 + random(20)};1H\x1b[2K\x1b[3${random(8)}m● \x1b[0m${words(3 + random(6))}`,
    );
    return `\x1b[?2026h\x1b[1;1H\x1b[7m tokens ${random(99_999)} \x1b[0m\x1b[K${rows.join('')}\x1b[24;5H${SPINNER[random(8)]}\x1b[?2026l`;
  },
};

/** A folder for a bench; `remove` when it is done. */
export function createFolder(): { path: string; write(kind: Kind, megabytes: number): string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'orchd-bench-'));
  return {
    path,
    write(kind, megabytes) {
      const file = join(path, `${kind}.txt`);
      // A megabyte of it, repeated: as varied as a parser can notice.
      let text = '';
      while (text.length < 1e6) text += PIECES[kind]();
      writeFileSync(file, Buffer.from(text.repeat(megabytes)).subarray(0, megabytes * 1e6));
      return file;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
