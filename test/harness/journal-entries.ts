/** Journal entries of every kind, with every field, for property tests. */
import fc from 'fast-check';
import type { JournalEntry } from '../../src/host/index.js';

const bytes = fc.uint8Array({ maxLength: 200 });
const size = fc.integer({ min: 1, max: 65_535 });
const process = fc.record({ pid: fc.nat(), command: fc.string() });
/** Every kind, with every field. */
export const anyEntry: fc.Arbitrary<JournalEntry> = fc.oneof(
  fc.record({
    kind: fc.constant('start' as const),
    sessionId: fc.string(),
    command: fc.array(fc.string({ unit: 'binary' })),
    cwd: fc.string(),
    pid: fc.nat(),
    cols: size,
    rows: size,
  }),
  fc.record({ kind: fc.constant('out' as const), bytes }),
  fc.record({ kind: fc.constant('resize' as const), cols: size, rows: size }),
  fc.record({
    kind: fc.constant('input' as const),
    phase: fc.constantFrom('begin' as const, 'end' as const, 'failed' as const, 'keys' as const),
    writeId: fc.option(fc.string()),
    text: fc.option(fc.string({ unit: 'grapheme' })),
    length: fc.nat(),
    submits: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('reply' as const), query: fc.nat(), text: fc.string() }),
  fc.record({ kind: fc.constant('note' as const), name: fc.string(), data: fc.jsonValue({ noUnicodeString: false }) }),
  fc.record({ kind: fc.constant('tick' as const), quietMs: fc.nat() }),
  fc.record({
    kind: fc.constant('exit' as const),
    exitCode: fc.option(fc.nat(255)),
    signal: fc.option(fc.constantFrom('SIGTERM', 'SIGKILL')),
    leftOpen: fc.boolean(),
    escaped: fc.array(process),
  }),
  fc.record({
    kind: fc.constant('pause' as const),
    paused: fc.boolean(),
    reason: fc.constantFrom('journal_full' as const, 'disk_full' as const),
  }),
);
