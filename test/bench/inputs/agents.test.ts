import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCast } from '../../../src/session/recordings/cast.js';
import { recordingsIn } from '../../recordings.js';
import { agentOf, EXIT, type Frame, flooded, MAX_PAUSE_MS, paced, printed, recordedAgents } from './agents.js';
import { Player } from './player.js';
import { createVariant } from './variants.js';

const take = <T>(count: number, values: Iterable<T>): T[] => {
  const taken: T[] = [];
  for (const value of values) {
    taken.push(value);
    if (taken.length === count) break;
  }
  return taken;
};

describe('recorded agents', () => {
  it('contain every program of the fixtures, with recordings of one size each', () => {
    const programs = recordedAgents().map(({ program }) => program);
    expect(programs).toEqual(
      expect.arrayContaining(['claude', 'codex', 'copilot', 'gemini', 'opencode', 'pi', 'qwen']),
    );
    for (const { recordings, size } of recordedAgents()) {
      expect(recordings.length).toBeGreaterThan(0);
      expect(size.cols).toBeGreaterThanOrEqual(60);
      for (const frames of recordings) expect(frames.length).toBeGreaterThan(0);
    }
  });

  it('print each recording once before any recording repeats', () => {
    for (const agent of recordedAgents()) {
      const count = agent.recordings.length;
      const text = (frames: readonly Frame[]): string => frames.map((frame) => frame.text).join('');
      const printed: string[] = [''];
      for (const piece of flooded(agent, 3)) {
        if (piece === EXIT) printed.push('');
        else printed[printed.length - 1] += piece;
        if (printed.length > 2 * count) break;
      }
      expect(printed.slice(0, count).toSorted()).toEqual(agent.recordings.map(text).toSorted());
      expect(new Set(printed.slice(0, 2 * count)).size).toBe(new Set(agent.recordings.map(text)).size + count);
    }
  });

  it("keep the recording's times, and print the part before the starting point at once", () => {
    const { recordings } = agentOf(0);
    const frames = take(2000, paced(0, 5));
    const first = frames.slice(
      0,
      frames.findIndex(({ text }) => text === EXIT),
    );
    const texts = (all: readonly Frame[] | undefined): string => JSON.stringify(all?.map(({ text }) => text));
    const recording = recordings.find((other) => texts(other) === texts(first));
    expect(recording).toBeDefined();
    const offsets = first.flatMap(({ atMs }, n) => (atMs > 0 ? [(recording?.[n]?.atMs ?? 0) - atMs] : []));
    expect(offsets.length).toBeGreaterThan(0);
    expect(new Set(offsets).size).toBe(1);
    expect(frames.map(({ atMs }) => atMs)).toEqual(frames.map(({ atMs }) => atMs).toSorted((a, b) => a - b));
  });

  it('shorten only pauses of more than MAX_PAUSE_MS', () => {
    const pauses = (times: readonly number[]): number[] => times.map((ms, n) => ms - (times[n - 1] ?? 0));
    const casts = recordingsIn(join(import.meta.dirname, '../../../fixtures/screen')).map(({ text }) => {
      const reading = parseCast(text());
      return reading.ok ? reading.cast.events.filter(({ kind }) => kind === 'o') : [];
    });
    const byText = new Map(casts.map((events) => [events.map(({ data }) => data).join(''), events]));
    let [compared, shortened] = [0, 0];
    for (const frames of recordedAgents().flatMap(({ recordings }) => recordings)) {
      const events = byText.get(frames.map(({ text }) => text).join(''));
      if (!events) continue; // The cast is in another folder.
      compared++;
      const recorded = pauses(events.map(({ timeMs }) => timeMs));
      shortened += recorded.filter((ms) => ms > MAX_PAUSE_MS).length;
      expect(pauses(frames.map(({ atMs }) => atMs))).toEqual(recorded.map((ms) => Math.min(ms, MAX_PAUSE_MS)));
    }
    expect(compared).toBeGreaterThan(100);
    expect(shortened).toBeGreaterThan(100);
  });

  it('print different output in two sessions of the same program', () => {
    const count = recordedAgents().length;
    const [one, two] = [0, count].map((session) =>
      take(200, paced(session, 5))
        .map(({ text }) => text)
        .join(''),
    );
    expect(one).not.toBe(two);
  });

  it('print variants if the program has only one recording', () => {
    const single = recordedAgents().findIndex(({ recordings }) => recordings.length === 1);
    const text = [0, 1, 2].map((n) =>
      take(20, paced(single + n * recordedAgents().length, 5))
        .map((frame) => frame.text)
        .join(''),
    );
    expect(new Set(text).size).toBe(3);
  });
});

describe('a variant', () => {
  const vary = createVariant(1, 9);

  it('keeps sequences, widths and short words, and changes words, numbers and spinners', () => {
    const text = '\x1b[38;2;10;20;30m⠋ Reading 4215 files of src\x1b[0m\x1b]0;Claude Code\x07\x1b[12;40H';
    const other = vary(text);
    expect(other).not.toBe(text);
    expect(other.length).toBe(text.length);
    expect(other).toMatch(
      /^\x1b\[38;2;10;20;30m[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] [A-Z][a-z]{6} [1-9]\d{3} [a-z]{5} of src\x1b\[0m\x1b\]0;Claude Code\x07\x1b\[12;40H$/,
    );
    expect(vary(text)).toBe(other);
  });

  it('keeps an orchestrator message valid', () => {
    const text =
      '```orchestrator-message\n{"type":"QUESTION","data":{"question":"Which colour\\nshould 12 buttons have?"}}\n```';
    const other = vary(text);
    const message = JSON.parse(other.split('\n')[1] ?? '') as { type: string; data: { question: string } };
    expect(message.type).toBe('QUESTION');
    expect(message.data.question).toMatch(/^[A-Z][a-z]{4} [a-z]{6}\n[a-z]{6} [1-9]\d [a-z]{7} [a-z]{4}\?$/);
    expect(other.startsWith('```orchestrator-message\n')).toBe(true);
  });

  it('differs for each number and seed, and number 0 is the recording itself', () => {
    const text = 'Reading several thousand documents of 12345 bytes';
    expect(
      new Set([createVariant(1, 9), createVariant(2, 9), createVariant(1, 10)].map((make) => make(text))).size,
    ).toBe(3);
    expect(createVariant(0, 9)(text)).toBe(text);
  });
});

describe('the player', () => {
  const frames = [
    { atMs: 0, text: 'a' },
    { atMs: 10, text: 'bb' },
    { atMs: 10, text: 'cc' },
    { atMs: 25, text: 'ddd' },
  ];

  it('writes each frame separately when it is due', () => {
    const written: string[] = [];
    const player = new Player(frames, (bytes) => {
      written.push(Buffer.from(bytes).toString());
      return bytes.length;
    });
    expect(player.play(0)).toBe(10);
    expect(written).toEqual(['a']);
    expect(player.play(9)).toBe(10);
    expect(written).toEqual(['a']);
    expect(player.play(12)).toBe(25);
    expect(written).toEqual(['a', 'bb', 'cc']);
    expect(player.play(25)).toBeNull();
    expect(written).toEqual(['a', 'bb', 'cc', 'ddd']);
    expect(player.takeTotals()).toEqual({ bytes: 8, writes: 4, lateMs: 2 });
    expect(player.takeTotals()).toEqual({ bytes: 0, writes: 0, lateMs: 0 });
  });

  it('loses no output and keeps the order when the reader is slow', () => {
    let text = '';
    let room = 0;
    const player = new Player(frames, (bytes) => {
      const count = Math.min(room, bytes.length);
      room -= count;
      text += Buffer.from(bytes.subarray(0, count)).toString();
      return count;
    });
    let nowMs: number | null = 0;
    for (let tries = 0; nowMs !== null && tries < 100; tries++) {
      room = tries % 2;
      nowMs = player.play(nowMs);
    }
    expect(nowMs).toBeNull();
    expect(text).toBe('abbccddd');
  });

  it('prints lines evenly', () => {
    const times = take(5, printed(0, 1, 50)).map(({ atMs }) => atMs);
    expect(times.slice(1).map((ms, n) => ms - (times[n] ?? 0))).toEqual([20, 20, 20, 20]);
  });
});
