/**
 * The number of columns of a character in a terminal: 0 (combining), 1 or 2 (wide), by Unicode 14.0.0. The tables are
 * runs of code points, each `gap.more` in hexadecimal: the distance from the end of the previous run, and the number of
 * further code points.
 */
const COMBINING =
  '300.6f 114.6 108.2c 2 2.1 2.1 2 49.a 31.14 11 66.6 3.5 3.1 2.3 24 1f.1a 5c.a 3b.8 a 19.3 2.8 2.2 2.4 2c.2 3d.7 ' +
  '2b.17 2.1f 38 2 5.7 5 4.6 b.1 1e 3b 5.3 9 15.1 1b.4 3a 5.10 1f.1 4 c.1 3a 5.7 5 15.1 17.7 3b 3 2.3 9.9 c.1 1f 3e ' +
  'd 33 4 38 2.2 6.10 c.1 1e 3b 3 7 6.1 15.1 1d.1 3a.1 5.3 9 15.1 1e 49 8.4 5b 3.6 d.7 63 3.8 c.5 4b.1 1c 2 2 38.d ' +
  '2.4 2.1 6.2f a 67.3 2.5 2.1 3.1 1a.1 5.2 11.3 e 3.1 7 10 c3.9f 15e.2 3b3.2 1e.1 1f.1 1f.1 41.1 2.6 9 3.a a 2e.2 ' +
  '2 76.1 23 77.2 5.1 a 7.2 dc.1 3 3b 2.8 2 3.7 7.c 31.1e 32.3 31 2.4 2 6 29.8 d.1 21.3 3.1 2.2 39 2.1 4 2.2 3b.7 ' +
  '3.1 99.2 2.c 2.6 5 7 4.1 c7.3f 20c.4 51 70.20 bff.2 8e 61.1f 22b.3 6c.1 75d5.3 2.9 21.1 51.1 111 4 5 1a.1 6 98.1 ' +
  '1b.11 e 27.7 1a.a 2f.2 31 3.3 3.1 28 44.5 3.1 3.1 d 9 30 34 2.2 3.1 6.1 2 2b.1 9 ef 3 5 4f31 2e2.f 11.f d0 2fe ' +
  'e3 96.4 687.e 29.7 a6.1 23e.3 184.1 9a.a 32.3 7c 37.e 2a 3.1 b.2 32.3 3.1 8 3e.2 25.4 2.7 3f d.1 35.8 b.3 3 60.2 ' +
  '3 2.1 7 a1 4.7 16.1 3a.1 4 26.e c4.7 3.2 2 18 55.5 2 5.1 2.1 ef.3 7.1 2.1 1c.1 56.7 3 2.1 6b 2 3.5 2 66.2 3.3 ' +
  '2.4 104.8 2.1 101.1 2 5 91.7 5 21.9 29.5 3.3 9 a.5 3.2 2f.c 2.1 197.d 2 53.15 3.6 2.1 2.1 7b.14 2 49.1 4 2 15c.1 ' +
  '4bfc.4 3c.6 419 40.3 52 4cb9.1 1262.46 221.2 12.7 3.6 1f.3 95.2 7bc.36 5.31 9 f 17.14 551.2a 106.6 178 3e.3 ' +
  '5e1.6 6e.6 c16b6.fff';

const WIDE =
  '1100.5f 11bb.1 e.1 bf.3 4 3 20a.1 16.1 33.b 2c 14 e 9.1 12.1 6.1 9 6 16 8.1 2 5 3 8 5.1 1d 24 2 5.2 2 3e.2 19 ' +
  'f 35c.1 34 5 32b.73 d.d5 1b.4e 3.1a2 d.57 9.1b6f 41.56c6 49a.1c 284.2ba3 215d.1d9 337.9 17.3b 96.5f 80.6 ' +
  '6ffa.3 d.1 f.17f7 9.4d5 2b.8 22e8.132 2e.2 12.3 9.18b 3d09 cb bf 3.9 66.2 e.41 f.5 9b.20 d.8 2.45 2.15 d.2a ' +
  '5.4 d.10 4 4.46 2 2.ba 3.3e e.3 2.17 13 1b.1 e 57.54 31.45 7 4.2 3.a c.1 8.8 e4.10 11c.2e 2.9 2.b8 71.16 a.35 ' +
  'b.17 9.6 50a.1fffd';

const combining = readRuns(COMBINING);
const wide = readRuns(WIDE);
/** Widths of the characters below U+10000. */
const WIDTHS = new Uint8Array(0x10000).fill(1);
fill(wide, 2);
fill(combining, 0);

export function charWidth(code: number): 0 | 1 | 2 {
  if (code < WIDTHS.length) return WIDTHS[code] as 0 | 1 | 2; // filled above
  if (isIn(combining, code)) return 0;
  return isIn(wide, code) ? 2 : 1;
}

function fill(runs: Uint32Array, width: number): void {
  for (let at = 0; at < runs.length; at += 2) WIDTHS.fill(width, runs[at], (runs[at + 1] ?? 0) + 1);
}

/** Returns the first and last code point of each run, alternately. */
function readRuns(table: string): Uint32Array {
  const runs: number[] = [];
  let end = 0;
  for (const run of table.split(' ')) {
    const [gap = '0', more = '0'] = run.split('.');
    const start = end + Number.parseInt(gap, 16);
    end = start + Number.parseInt(more, 16);
    runs.push(start, end);
  }
  return Uint32Array.from(runs);
}

function isIn(runs: Uint32Array, code: number): boolean {
  let low = 0;
  let high = runs.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (code > (runs[2 * middle + 1] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low < runs.length / 2 && code >= (runs[2 * low] ?? 0);
}
