import { describe, expect, it } from 'vitest';
import { cpuSeconds, parseNumber, parseTicks, pssMb } from './processes.js';

describe('figures from /proc', () => {
  it('parseTicks accepts process names with blanks and parentheses', () => {
    const rest = 'S 1 4242 4242 0 -1 4194560 900 0 3 0 127 31 7 2 20 0 11 0 85000 1200000000 21000';
    expect(parseTicks(`4242 (node) ${rest}\n`)).toBe(158);
    expect(parseTicks(`4242 (tmux: server (2) 1 2 3) ${rest}\n`)).toBe(158);
  });

  it('parseNumber matches the whole name and returns NaN for a missing one', () => {
    const text =
      'Rss:              80000 kB\nPss:              51234 kB\nPss_Dirty:        40000 kB\nSwapPss:          7 kB\n';
    expect(parseNumber(text, 'Pss')).toBe(51234);
    expect(parseNumber(text, 'Pss_Dirty')).toBe(40000);
    expect(
      parseNumber('voluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t3\n', 'voluntary_ctxt_switches'),
    ).toBe(12);
    expect(parseNumber(text, 'Private_Clean')).toBeNaN();
  });

  it("cpuSeconds and pssMb agree with Node's figures for this process", () => {
    const { user, system } = process.cpuUsage();
    const seconds = cpuSeconds([process.pid]);
    expect(seconds).toBeGreaterThanOrEqual((user + system) / 1e6 - 0.05);
    expect(cpuSeconds([process.pid, process.pid])).toBeGreaterThanOrEqual(seconds * 2);
    expect(pssMb([process.pid])).toBeLessThanOrEqual(process.memoryUsage().rss / 1e6 + 20);
    expect(pssMb([process.pid])).toBeGreaterThan(5);
  });
});
