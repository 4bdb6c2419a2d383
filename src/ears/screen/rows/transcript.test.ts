import { describe, expect, it } from 'vitest';
import { MAX_TRANSCRIPT_ROWS } from '../../bounds.js';
import { type PlainRow, plainRow } from './rows.js';
import { Transcript } from './transcript.js';

const screen = (rows: readonly string[]): PlainRow[] => rows.map((text) => plainRow({ text, isSoft: false }));
const text = (transcript: Transcript): string[] => transcript.rows.map((row) => row?.text ?? '=');
const COMPOSER = ['──────', '> type here'];

describe('the virtual transcript', () => {
  it('grows by rows that scroll in below pinned rows', () => {
    const transcript = new Transcript();
    const rows = Array.from({ length: 9 }, (_, index) => `row number ${index}`);
    const at = (from: number): PlainRow[] => screen(['pinned prompt', ...rows.slice(from, from + 4), ...COMPOSER]);
    for (const from of [0, 1, 3, 4, 5]) transcript.look(at(from), null, 7);
    expect(text(transcript)).toEqual(['pinned prompt', ...rows, ...COMPOSER]);
  });

  it('keeps the rows behind a header when the terminal does not scroll, and when rows above it scroll', () => {
    const transcript = new Transcript();
    const rows = Array.from({ length: 16 }, (_, index) => `row number ${index}`);
    const at = (from: number): PlainRow[] => screen(['pinned header', ...rows.slice(from, from + 9), ...COMPOSER]);
    const looks = [[0], [1], [2], [2, 0], [4, 0], [4, 0], [6, 0]] as const;
    for (const [from, scrolled = null] of looks) transcript.look(at(from), scrolled, 12);
    expect(text(transcript)).toEqual(['pinned header', ...rows.slice(0, 15), ...COMPOSER]);
  });

  it('keeps the rows that have left the screen if a box is inserted below them', () => {
    const transcript = new Transcript();
    const old = ['Which of the two is it?', '[', 'the first of them', 'the second of them', ']', '}'];
    const next = Array.from({ length: 8 }, (_, index) => `row ${index} of the next`);
    const box = ['╭─────╮', '│ yes │', '╰─────╯'];
    const all = [...old, ...next, ...COMPOSER];
    for (const from of [0, 2, 4]) transcript.look(screen(all.slice(Math.max(0, from - 2), from + 12)), from && 2, 12);
    const inserted = [']', '}', ...box, ...next, ...COMPOSER];
    expect(transcript.look(screen(inserted), 3, 12)).toEqual({ isJump: true, moved: { from: 6, by: 3 } });
    expect(text(transcript)).toEqual([
      ...old,
      ...box.map((row) => row.replaceAll('│', ' ').trimEnd()),
      ...next,
      ...COMPOSER,
    ]);
  });

  it('does not grow when the user scrolls back', () => {
    const transcript = new Transcript();
    const rows = Array.from({ length: 12 }, (_, index) => `line number ${index}`);
    const at = (from: number): PlainRow[] => screen([...rows.slice(from, from + 6), ...COMPOSER]);
    for (let from = 0; from <= 6; from += 2) transcript.look(at(from), null, 8);
    const before = text(transcript);
    for (const from of [5, 4, 3, 1, 0, 1, 3, 5, 6]) transcript.look(at(from), null, 8);
    expect(text(transcript)).toEqual(before);
  });

  it('finds an earlier page again, and starts anew with a different picture', () => {
    const transcript = new Transcript();
    const rows = Array.from({ length: 24 }, (_, index) => `line number ${index}`);
    const at = (from: number): PlainRow[] => screen(rows.slice(from, from + 6));
    for (let from = 0; from <= 18; from += 3) transcript.look(at(from), null, 6);
    transcript.look(at(0), null, 6);
    expect(transcript.top).toBe(0);
    expect(text(transcript)).toEqual(rows);
    const { isJump } = transcript.look(screen(['quite', 'another', 'picture', 'altogether', '', '']), null, 6);
    expect(isJump).toBe(true);
    expect(transcript.top).toBe(rows.length + 1);
  });

  it('does not search for pages above the position where it was closed', () => {
    const transcript = new Transcript();
    const rows = Array.from({ length: 24 }, (_, index) => `line number ${index}`);
    const at = (from: number): PlainRow[] => screen(rows.slice(from, from + 6));
    for (let from = 0; from <= 18; from += 3) transcript.look(at(from), null, 6);
    transcript.close();
    transcript.look(at(0), null, 6);
    expect(transcript.top).toBe(rows.length + 1);
  });

  it('starts anew below the same banner after it was closed', () => {
    const banner = Array.from({ length: 10 }, (_, index) => `row ${index} of the banner`);
    const old = [...banner, ...Array.from({ length: 6 }, (_, index) => `old row number ${index}`)];
    const at = (from: number): PlainRow[] => screen([...old.slice(from, from + 12), ...COMPOSER]);
    const fresh = screen([...banner, ...COMPOSER, '', '']);
    const transcript = new Transcript();
    for (const from of [0, 2, 4]) transcript.look(at(from), null, 14);
    transcript.close();
    transcript.look(at(3), null, 14);
    expect(transcript.top, 'the old rows are still shown').toBe(3);
    transcript.look(fresh, null, 14);
    expect(text(transcript).slice(transcript.top)).toEqual(fresh.map((row) => row.text));
    expect(transcript.top, 'and not among the old rows').toBeGreaterThan(old.length);
  });

  it('keeps a limited number of rows', () => {
    const transcript = new Transcript();
    for (let look = 0; look < 4000; look++) {
      transcript.look(screen([`a${look}aaaa`, `b${look}bbbb`, `c${look}cccc`, `d${look}dddd`]), null, 4);
    }
    expect(transcript.rows.length).toBeLessThanOrEqual(MAX_TRANSCRIPT_ROWS + 10);
  });
});
