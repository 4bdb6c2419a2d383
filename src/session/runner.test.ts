import { expect, test } from 'vitest';
import type { JournalReader, JournalRecord } from '../host/index.js';
import { createRecorder, type Happening } from './made-journal.js';
import { createRunner } from './runner.js';

const key: Happening = {
  ...{ kind: 'input', phase: 'keys', writeId: null, text: null, length: 1, submits: false },
};
const out = (text: string): Happening => ({ kind: 'out', bytes: Buffer.from(text) });

/** What is done with the records of a journal, in its order. */
function follow(happenings: readonly Happening[]): string[] {
  const done: string[] = [];
  const record = createRecorder();
  const records = happenings.map((happening) => record(happening));
  const note = (what: string) => (taken: JournalRecord) =>
    void done.push(`${what} ${taken.kind === 'out' ? Buffer.from(taken.bytes).toString() : taken.kind}`);
  const reader = {
    position: 0,
    read(_limit: number, onRecord: (record: JournalRecord) => unknown) {
      for (const one of records) {
        reader.position = one.end;
        onRecord(one);
      }
      return { position: reader.position, damaged: [], torn: null };
    },
    passTo: () => {},
    close: () => {},
  };
  const heard = note('heard');
  const runner = createRunner({
    reader: reader satisfies JournalReader,
    // Of both only what is called of them here.
    hearing: { push: (taken: JournalRecord) => heard(taken) ?? [], wantsTick: () => null } as never,
    keeper: { take: note('kept') } as never,
    onRecord: note('shown'),
    hearFrom: 0,
    cursor: 0,
    onFindings: () => {},
    onDamage: () => {},
    onTaken: () => {},
    askTick: () => {},
    whenRoomy: () => null,
    onError: (error) => {
      throw error;
    },
  });
  runner.grew(records.at(-1)?.end ?? 0);
  return done;
}

test('a record is on the screen when it is shown, and shown before it is heard', () => {
  expect(follow([out('a'), out('b')])).toEqual(['kept a', 'shown a', 'heard a', 'kept b', 'shown b', 'heard b']);
});

test('the echo of a key is shown before the key is heard, and all is heard in order', () => {
  const shown = ['kept input', 'shown input', 'kept k', 'shown k'];
  const heard = ['heard input', 'heard k'];
  expect(follow([key, out('k'), key])).toEqual([...shown, ...heard, 'kept input', 'shown input', 'heard input']);
});
