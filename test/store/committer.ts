/**
 * A process that commits until it is killed, for crash.test.ts: `committer.ts <file>`.
 *
 * Eight writers commit one batch at a time. Batch `n` of writer `w` has three events {writer, n, part}, and a session
 * row and a cursor that contain `n`. After each acknowledgement it prints a line `writer n firstSeq` to stdout,
 * unbuffered.
 */
import { writeSync } from 'node:fs';
import { openStore } from '../../src/store/index.js';

const WRITERS = 8;
const store = await openStore({ path: process.argv[2] ?? '' });
const { cursors } = await store.load();

for (let w = 0; w < WRITERS; w++) void write(`writer-${w}`);

async function write(writer: string): Promise<void> {
  for (let n = (cursors.find(({ sessionId }) => sessionId === writer)?.position ?? 0) + 1; ; n++) {
    const { firstSeq } = await store.commit({
      events: [0, 1, 2].map((part) => ({ event_type: 'tick', timestamp: 'now', session_id: writer, writer, n, part })),
      sessions: [{ id: writer, value: n }],
      cursors: [{ sessionId: writer, position: n, checkpoint: { position: n, state: n } }],
    });
    acknowledge(`${writer} ${n} ${firstSeq}\n`);
  }
}

/** The pipe is non-blocking. While its reader is behind, it accepts nothing. */
function acknowledge(line: string): void {
  for (;;) {
    try {
      writeSync(1, line);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}
