import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JournalRecord } from '../../host/index.js';
import { createHearing, type Hearing } from '../../session/index.js';
import { createRecorder } from '../../session/recordings/made-journal.js';
import { keepHearing, LargeCheckpoints, openHearing } from './checkpoints.js';

const log = { info: () => {}, error: () => {} };
const QUESTION = '{"type":"QUESTION","data":{"question":"Which db?"}}';
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'orchd-checkpoints-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** A full-screen program that repaints a spinner for 5 MiB, and says something at the beginning and at the end. */
function paintedJournal(): JournalRecord[] {
  const record = createRecorder();
  const start = { kind: 'start', sessionId: 's', command: ['agent'], cwd: '/', pid: 1, cols: 80, rows: 24 } as const;
  const records = [record(start)];
  const out = (text: string): void => {
    records.push(record({ kind: 'out', bytes: Buffer.from(text) }));
  };
  const turn = (): void => {
    records.push(record({ kind: 'input', phase: 'keys', writeId: null, text: null, length: 3, submits: true }));
  };
  out('\x1b[?1049h\x1b[2J');
  turn();
  out(`\x1b[?2026h\x1b[3;1H  ${QUESTION}\x1b[?2026l`);
  for (let i = 0; i < 640; i++)
    out(`\x1b[?2026h\x1b[20;1H${`${i} `.repeat(10).padEnd(8000, '\x1b[20;1H-')}\x1b[?2026l`);
  turn();
  out(`\x1b[?2026h\x1b[5;1H  ${QUESTION.replace('db', 'queue')}\x1b[?2026l`);
  return records;
}

const cursorAt = (position: number) => ({ sessionId: 's', position, checkpoint: null });

/**
 * Reads all records and writes checkpoints as a daemon does.
 * @returns The findings and the positions of the checkpoints.
 */
function hearAll(hearing: Hearing, records: readonly JournalRecord[]) {
  const large = new LargeCheckpoints(dir, { hearing, hearFrom: 0 });
  const kept: number[] = [];
  const found = records.flatMap((record) => {
    const findings = hearing.push(record);
    const keep = large.make(record.end);
    if (keep) {
      keep();
      kept.push(record.end);
    }
    return findings;
  });
  return { found, kept };
}

test('resumes a program that paints for long at the last checkpoint, with the same findings', async () => {
  const records = paintedJournal();
  const { found, kept } = hearAll(createHearing(), records);
  expect(found.filter(({ kind }) => kind === 'message')).toHaveLength(2);
  expect(kept).toHaveLength(2);
  const end = records.at(-1)?.end ?? 0;
  const { hearing, hearFrom } = await openHearing(dir, cursorAt(end), log);
  expect(hearFrom).toBe(kept.at(-1));
  const rest = records.filter(({ position }) => position >= hearFrom).flatMap((record) => hearing.push(record));
  expect(rest).toEqual(found.filter(({ at }) => at > hearFrom));
  expect(rest.filter(({ kind }) => kind === 'message')).toHaveLength(1);
});

test('ignores a checkpoint beyond the position in the event log', async () => {
  const { kept } = hearAll(createHearing(), paintedJournal());
  expect(await openHearing(dir, cursorAt((kept.at(-1) ?? 0) - 1), log)).toMatchObject({ hearFrom: 0 });
});

test('a damaged checkpoint is named in the log, without the error that the reader tripped over', async () => {
  const records = paintedJournal();
  const hearing = createHearing();
  hearAll(hearing, records);
  keepHearing(dir, hearing, 100);
  const file = join(dir, 'hearing.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"dropped"', '"drppped"').replaceAll('"bytes"', '"bytfs"'));
  const logged: unknown[][] = [];
  const listening = { ...log, error: (...line: unknown[]) => void logged.push(line) };
  expect(await openHearing(dir, cursorAt(100), listening)).toMatchObject({ hearFrom: 0 });
  expect(logged).toEqual([[expect.stringContaining('damaged'), undefined, { dir, position: 100 }]]);
});

test.each(['', '{"position":1}', '{"position":1,"state":{"version":0}}', '[]'])(
  'reads the whole journal if the checkpoint file holds %j',
  async (text) => {
    writeFileSync(join(dir, 'hearing.json'), text);
    expect(await openHearing(dir, cursorAt(100), log)).toMatchObject({ hearFrom: 0 });
  },
);
