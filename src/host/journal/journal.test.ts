/**
 * The reader returns exactly what the writer appended, over segments, cuts, damage, a full disk, and while both run.
 */
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anyEntry } from '../../../test/harness/journal-entries.js';
import { readJournal } from '../../../test/harness/read-journal.js';
import { tries } from '../../../test/harness/tries.js';
import type { JournalRecord } from '../contract.js';
import { type Damage, openJournal, type TornTail } from './journal-reader.js';
import { JournalWriter, type JournalWriterOptions } from './journal-writer.js';
import { HEADER_BYTES, type JournalEntry } from './record-codec.js';
import { SEGMENT_HEADER_BYTES } from './segment.js';

const SESSION = 'ses_test';
let journals = '';
let directory = '';
beforeEach(() => {
  journals = mkdtempSync(join(tmpdir(), 'orchd-journal-'));
  directory = join(journals, SESSION);
});
afterEach(() => rmSync(journals, { recursive: true, force: true }));

const createWriter = (options: Partial<JournalWriterOptions> = {}) => new JournalWriter({ directory, ...options });
const note = (data: unknown): JournalEntry => ({ kind: 'note', name: 'n', data });
const dataOf = (record: JournalRecord): unknown => (record.kind === 'note' ? record.data : record.kind);
const segments = () => readdirSync(directory).sort();
const fileOf = (name: string | undefined) => join(directory, name ?? '');
function readAll(): { records: JournalRecord[]; problems: (Damage | TornTail)[] } {
  const problems: (Damage | TornTail)[] = [];
  const records = [...readJournal(journals, SESSION, (problem) => problems.push(problem))];
  return { records, problems };
}

describe('journal', () => {
  it('continues in a new segment after a complete or torn record', () => {
    const first = createWriter();
    first.append(note('one'));
    const { end } = first.append(note('two'));
    first.close();
    truncateSync(fileOf(segments()[0]), SEGMENT_HEADER_BYTES + end - 3);
    const second = createWriter({ goesOn: true });
    expect(second.position).toBe(end - 3);
    second.append(note('three'));
    second.close();
    createWriter({ goesOn: true }).discard();
    const { records, problems } = readAll();
    expect(records.map(dataOf)).toEqual(['one', 'three']);
    expect(problems).toMatchObject([{ to: end - 3 }]);
    expect(records[1]?.position).toBe(end - 3);
    expect(records[1]?.time).toBeGreaterThanOrEqual(records[0]?.time ?? 0);
  });

  it('continues in a segment that was created but not written', () => {
    const { end } = ((writer) => writer.append(note('one')) && writer.append(note('two')))(createWriter());
    writeFileSync(fileOf(`${String(end).padStart(16, '0')}.journal`), 'cut');
    const again = createWriter({ goesOn: true });
    again.append(note('three'));
    again.close();
    expect(readAll()).toMatchObject({ problems: [] });
    expect(readAll().records.map(dataOf)).toEqual(['one', 'two', 'three']);
  });

  it('refuses to continue a journal that does not exist, and creates nothing', () => {
    expect(() => createWriter({ goesOn: true })).toThrow('ENOENT');
    expect(() => segments()).toThrow('ENOENT');
  });

  it('returns what was appended, whatever the segment size', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 12 }), fc.integer({ min: 40, max: 600 }), (entries, segmentBytes) => {
        rmSync(directory, { recursive: true, force: true });
        const writer = createWriter({ segmentBytes });
        const places = entries.map((entry) => writer.append(entry));
        expect(writer.written).toBe(writer.position);
        writer.close();
        const { records, problems } = readAll();
        expect(problems).toEqual([]);
        expect(records.map(({ position, end }) => ({ position, end }))).toEqual(places);
        expect(records.map(({ kind }) => kind)).toEqual(entries.map(({ kind }) => kind));
        records.slice(1).forEach((record, i) => void expect(record.position).toBe(records[i]?.end));
      }),
      tries(50),
    );
  });

  it('ends at the last complete record of a truncated file, and reports the rest', () => {
    const writer = createWriter();
    const ends = [0, ...[1, 2, 3].map((n) => writer.append(note(n)).end)];
    writer.close();
    const file = fileOf(segments()[0]);
    const whole = readFileSync(file);
    for (let size = whole.length; size >= 0; size--) {
      truncateSync(file, size);
      const { records, problems } = readAll();
      const kept = Math.max(0, size - SEGMENT_HEADER_BYTES);
      const last = ends.findLast((end) => end <= kept) ?? 0;
      expect(records.length).toBe(ends.indexOf(last));
      const torn = size < SEGMENT_HEADER_BYTES ? size : kept - last;
      if (kept === last && size >= SEGMENT_HEADER_BYTES) expect(problems).toEqual([]);
      else expect(problems).toMatchObject([{ position: last, bytes: torn }]);
    }
  });

  it('reports damage in the middle, and continues at the next segment', () => {
    const writer = createWriter({ segmentBytes: 100 });
    const places = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => writer.append(note(n)));
    writer.close();
    const [first, second] = segments();
    const file = fileOf(first);
    const bytes = readFileSync(file);
    const start = Number((second ?? '').slice(0, 16));
    for (let at = SEGMENT_HEADER_BYTES; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0x41;
      writeFileSync(file, damaged);
      const { records, problems } = readAll();
      const hit = places.find(({ end }) => SEGMENT_HEADER_BYTES + end > at);
      expect(problems).toMatchObject([{ from: hit?.position, to: start }]);
      const lost = places.filter(({ position }) => position >= (hit?.position ?? 0) && position < start).length;
      expect(records.length).toBe(8 - lost);
    }
  });

  it('never returns a record that was not written and never throws, however it is damaged', () => {
    const change = fc.record({ file: fc.nat(), at: fc.nat(), value: fc.nat(255), cut: fc.boolean() });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        rmSync(directory, { recursive: true, force: true });
        const writer = createWriter({ segmentBytes: 120 });
        const written = new Map([1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => [writer.append(note(n)).position, n]));
        writer.close();
        for (const { file, at, value, cut } of changes) {
          const path = fileOf(segments()[file % segments().length]);
          const bytes = readFileSync(path);
          if (bytes.length === 0) continue;
          if (cut) truncateSync(path, at % bytes.length);
          else bytes[at % bytes.length] = value;
          if (!cut) writeFileSync(path, bytes);
        }
        let last = 0;
        for (const record of readAll().records) {
          expect(dataOf(record)).toBe(written.get(record.position));
          expect(record.position).toBeGreaterThanOrEqual(last);
          last = record.end;
        }
      }),
      tries(100),
    );
  });

  it('reports a missing or invalid segment', () => {
    const writer = createWriter({ segmentBytes: 60 });
    for (const n of [1, 2, 3, 4, 5, 6]) writer.append(note(n));
    writer.close();
    const [first, second, third, fourth] = segments();
    const at = (name: string | undefined) => Number((name ?? '').slice(0, 16));
    rmSync(fileOf(first));
    expect(readAll().problems).toMatchObject([{ from: 0, to: at(second) }]);
    writeFileSync(fileOf(third), 'nothing');
    expect(readAll().problems).toMatchObject([
      { from: 0, to: at(second) },
      { from: at(third), to: at(fourth) },
    ]);
  });

  it('can be read from any record, across segments', () => {
    const writer = createWriter({ segmentBytes: 100 });
    const places = [1, 2, 3, 4, 5, 6, 7].map((n) => writer.append(note(n)));
    places.forEach((place, i) => {
      for (const from of [place.position, place.position + 1, place.end - 1]) {
        const reader = openJournal(journals, SESSION, { from });
        const found: unknown[] = [];
        reader.read(writer.written, (record) => void found.push(dataOf(record)));
        expect(found).toEqual([1, 2, 3, 4, 5, 6, 7].slice(i));
        reader.close();
      }
    });
  });

  it('passTo skips to any position, and reading continues at the record there', () => {
    const writer = createWriter({ segmentBytes: 400 });
    const places = Array.from({ length: 60 }, (_, n) => writer.append(note(n)));
    for (const step of [1, 2, 7, 25]) {
      const reader = openJournal(journals, SESSION);
      for (let n = step; n < places.length; n += step + 1) {
        const { position = 0, end = 0 } = places[n] ?? {};
        reader.passTo(n % 2 === 0 ? position : end - 1);
        reader.passTo(0); // it never goes back
        const found: unknown[] = [];
        reader.read(end, (record) => void found.push(dataOf(record)));
        expect(found).toEqual([n]);
      }
      reader.passTo(writer.written);
      const last = reader.read(writer.written, () => expect.unreachable());
      expect(last).toEqual({ position: writer.written, damaged: [], torn: null });
      const more = writer.append(note(99));
      const found: unknown[] = [];
      reader.read(more.end, (record) => void found.push(dataOf(record)));
      expect(found).toEqual([99]);
      reader.close();
    }
  });

  it('is read while it grows, exactly up to the given position', () => {
    const writer = createWriter({ segmentBytes: 200 });
    const reader = openJournal(journals, SESSION);
    const found: unknown[] = [];
    for (let n = 0; n < 100; n++) {
      const { position } = writer.append(note(n));
      // The host has not announced it, so it is not read although it is in the file.
      const before = reader.read(position, (record) => void found.push(dataOf(record)));
      expect(before.position).toBe(position);
      expect(found.length).toBe(n);
      const { damaged, torn } = reader.read(writer.written, (record) => void found.push(dataOf(record)));
      expect({ damaged, torn, count: found.length }).toEqual({ damaged: [], torn: null, count: n + 1 });
    }
    reader.close();
  });

  it('stops when the callback returns false, and reads records longer than its buffer', () => {
    const writer = createWriter();
    for (const n of [1, 2, 3]) writer.append({ kind: 'out', bytes: Buffer.alloc(300_000, n) });
    const reader = openJournal(journals, SESSION);
    const found: number[] = [];
    for (let n = 1; n <= 3; n++) {
      reader.read(Infinity, (record) => {
        if (record.kind === 'out') found.push(record.bytes.length, record.bytes[299_999] ?? 0);
        return false;
      });
    }
    expect(found).toEqual([300_000, 1, 300_000, 2, 300_000, 3]);
    reader.close();
  });

  it('has private files, and times that never decrease', () => {
    const times = [500, 400, 600];
    const writer = createWriter({ now: () => times.shift() ?? 0, ranMs: () => 0 });
    for (const n of [1, 2, 3]) writer.append(note(n));
    expect(readAll().records.map(({ time }) => time)).toEqual([500, 500, 600]);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(fileOf(segments()[0])).mode & 0o777).toBe(0o600);
  });

  it('has times that go on if the clock is set back', () => {
    const times = [
      [5_000, 0],
      [1_000, 700.5],
      [2_000, 1_701],
      [7_000, 6_701],
    ].map(([now = 0, ran = 0]) => ({ now, ran }));
    let at = { now: 0, ran: 0 };
    const writer = createWriter({ now: () => at.now, ranMs: () => at.ran });
    for (const time of times) {
      at = time;
      writer.append(note(1));
    }
    expect(readAll().records.map(({ time }) => time)).toEqual([5_000, 5_700, 6_701, 7_000]);
  });

  it('cannot be started twice, even if its first segment was pruned', () => {
    const writer = createWriter({ segmentBytes: 60 });
    for (const n of [1, 2, 3]) writer.append(note(n));
    writer.close();
    expect(() => createWriter()).toThrow('EEXIST');
    rmSync(fileOf(segments()[0]));
    expect(() => createWriter()).toThrow('EEXIST');
  });

  it('continues in a new segment if its directory is removed', () => {
    const writer = createWriter({ segmentBytes: 60 });
    writer.append(note(1));
    rmSync(directory, { recursive: true });
    for (const n of [2, 3]) writer.append(note(n));
    writer.close();
    expect(readAll().records.map(dataOf)).toEqual([2, 3]);
  });
});

describe('a full disk', () => {
  const full = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

  it('loses nothing whenever it occurs, and reports its end once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 90 }), { minLength: 1, maxLength: 8 }), async (rooms) => {
        rmSync(directory, { recursive: true, force: true });
        // For each entry, the disk has room for that many bytes. Then it is full until the next attempt.
        let room = SEGMENT_HEADER_BYTES;
        const write = (fd: number, bytes: Uint8Array, offset: number, length: number) => {
          if (room === 0) {
            room = rooms.shift() ?? Infinity;
            throw full();
          }
          const count = writeSync(fd, bytes, offset, Math.min(room, length));
          room -= count;
          return count;
        };
        let stuck = 0;
        const freed = new Promise<void>((resolve) => {
          const onStuck = () => void stuck++;
          const writer = createWriter({ write, retryMs: 0, segmentBytes: 150, onStuck, onFreed: resolve });
          for (let n = 0; n < 6; n++) writer.append(note(n));
          const out = Buffer.alloc(HEADER_BYTES + 50, 'x');
          writer.appendOut(out, 50);
          out.fill('y'); // the caller may reuse the buffer
          writer.close();
        });
        await freed;
        const { records, problems } = readAll();
        expect(problems).toEqual([]);
        expect(records.map(dataOf)).toEqual([0, 1, 2, 3, 4, 5, 'out']);
        const last = records.at(-1);
        expect(last?.kind === 'out' && Buffer.from(last.bytes).toString()).toBe('x'.repeat(50));
        expect(stuck).toBe(1);
      }),
      tries(40),
    );
  });

  it('prevents a new journal, and leaves nothing behind', () => {
    const write = () => {
      throw full();
    };
    expect(() => createWriter({ write })).toThrow('no space');
    expect(readdirSync(journals)).toEqual([]);
  });
});
