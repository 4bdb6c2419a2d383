import { describe, expect, it } from 'vitest';
import { generate, KINDS, type Kind, upTo } from './files.js';

const BYTES = 10e6;
/** Maximum share of repeated lines, because short lines may be equal by chance. */
const MAX_REPEATED = 0.001;
/** A line break, a cursor position, or the end of a frame. */
const ROWS = /\n|\x1b\[\d+(?:;\d+)?H|\x1b\[\?2026[hl]/;

const read = (kind: Kind, seed: number, bytes = BYTES): Buffer => Buffer.concat([...upTo(bytes, generate(kind, seed))]);

describe('generated output', () => {
  it.each(KINDS)('%s: the same seed gives the same bytes, another seed other bytes', (kind) => {
    const bytes = 500e3;
    const first = read(kind, 11, bytes);
    expect(first.length).toBeGreaterThanOrEqual(bytes);
    expect(first.equals(read(kind, 11, bytes))).toBe(true);
    expect(first.subarray(0, 10_000).equals(read(kind, 12, bytes).subarray(0, 10_000))).toBe(false);
  });

  it.each(KINDS)('%s: is valid UTF-8', (kind) => {
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(read(kind, 21, 1e6))).not.toThrow();
  });

  it.each(['plain', 'sgr', 'utf8'] as const)('%s: no line repeats in 10 MB, except empty lines', (kind) => {
    const lines = read(kind, 31)
      .toString()
      .split('\n')
      .filter((line) => /\w/.test(line.replace(/\x1b\[[0-9;:]*[mK]/g, '')));
    expect(lines.length).toBeGreaterThan(30_000);
    expect(lines.length - new Set(lines).size).toBeLessThan(lines.length * MAX_REPEATED);
  });

  it('tui: no frame repeats, and a row is repainted only while its picture scrolls', () => {
    const frames: string[] = [];
    let size = 0;
    for (const frame of generate('tui', 41)) {
      if (size > BYTES) break;
      size += frame.length;
      if (frame.length > 60) frames.push(frame);
    }
    expect(frames.length).toBeGreaterThan(5_000);
    expect(frames.length - new Set(frames).size).toBeLessThan(frames.length * MAX_REPEATED);
    const painted = new Map<string, number>();
    const rows = frames.flatMap((frame) => frame.split(ROWS)).filter((row) => /\w{4}/.test(row) && row.length > 30);
    for (const row of rows) painted.set(row, (painted.get(row) ?? 0) + 1);
    expect(Math.max(...painted.values())).toBeLessThanOrEqual(40);
    expect(rows.length / painted.size).toBeLessThan(4);
  });

  it('tui: contains full frames, partial rows, scroll regions, spinners and both screens', () => {
    const text = read('tui', 51).toString();
    for (const part of ['\x1b[?1049h', '\x1b[?1049l', '\x1b[?2026h', '\x1bM', '\x1b[r', '\x1b[2K\x1b[1A', '⠋', '\x1b7'])
      expect(text.split(part).length, JSON.stringify(part)).toBeGreaterThan(10);
    for (const part of [/\x1b\[\d+;\d+r/g, /\x1b\[\d+[LM]/g, /\x1b\[\d+[@P]/g, /\x1b\[\d+X/g, /\x1b\[\d+[ST]/g])
      expect(text.match(part)?.length, String(part)).toBeGreaterThan(10);
  });
});
