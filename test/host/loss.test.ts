/**
 * Tests that the host loses no byte of a program's output, however short the program runs and however slow its reader
 * is.
 *
 * Every child prints a text that the test knows. Its journal must contain exactly that text, followed by the exit
 * record.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEGMENT_BYTES } from '../../src/host/journal/segment.js';
import { startHost, type TestDaemon, type TestHost, type TestSession } from '../harness/host.js';
import { readJournal } from '../harness/read-journal.js';

const CHILDREN = 400;
const AT_ONCE = 8;
/** Line counts from a few bytes of output to more than the terminal's buffers and the batch (64 KiB) hold. */
const LAST_NUMBERS = [1, 10, 300, 1000, 3000, 3000, 3000, 20_000];

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.stop());

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const numbersTo = (last: number) =>
  Buffer.from(Array.from({ length: last }, (_, i) => `${i + 1}\r\n`).join(''), 'latin1');
const expected = new Map([...LAST_NUMBERS, 200_000].map((last) => [last, hash(numbersTo(last))]));

async function runChildren(daemon: TestDaemon, count: number, check: (session: TestSession, last: number) => void) {
  let next = 0;
  const worker = async () => {
    for (let n = next++; n < count; n = next++) {
      const last = LAST_NUMBERS[n % LAST_NUMBERS.length] ?? 1;
      const session = await daemon.spawn(['/usr/bin/seq', '1', String(last)]);
      await session.exit();
      check(session, last);
      await daemon.call('forget', { sessionId: session.sessionId });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

describe('reading a pty', () => {
  it(`loses no output of ${CHILDREN} short-lived programs`, { timeout: 120_000 }, async () => {
    const daemon = await host.connect();
    let checked = 0;
    await runChildren(daemon, CHILDREN, (session, last) => {
      checked++;
      expect(hash(session.output()), `seq ${last}`).toBe(expected.get(last));
      expect(session.records.at(-1)).toMatchObject({ kind: 'exit', exitCode: 0, leftOpen: false });
    });
    expect(checked).toBe(CHILDREN);
    daemon.close();
  });

  it('loses no output of programs that end while flow control pauses them', { timeout: 120_000 }, async () => {
    // The client confirms nothing, so each session stops at the window; `seq 1 200000` prints 1.5 MB.
    const daemon = await host.connect({ takes: false });
    const sessions: TestSession[] = [];
    for (let n = 0; n < 20; n++) sessions.push(await daemon.spawn(['/usr/bin/seq', '1', '200000']));
    // Then the window is opened in steps. Some sessions end while they are paused, others do not.
    const done = sessions.map(async (session, i) => {
      let isOver = false;
      void session.exit().then(() => {
        isOver = true;
      });
      for (let step = 0; !isOver; step++) {
        const position = session.records.at(-1)?.end ?? 0;
        await daemon.call('taken', { sessionId: session.sessionId, position });
        // Waits one turn of the event loop after the notices of the step. A few sessions are read less often.
        for (let turn = 0; turn <= (i % 4) + (step % 3); turn++) await new Promise(setImmediate);
      }
      expect(hash(session.output())).toBe(expected.get(200_000));
    });
    await Promise.all(done);
    daemon.close();
  });

  it('loses no output across several segments that are read while they are written', async () => {
    const daemon = await host.connect();
    const session = await daemon.spawn(['/usr/bin/seq', '1', '2500000']);
    await session.exit();
    expect(hash(session.output())).toBe(hash(numbersTo(2_500_000)));
    expect(session.damaged).toEqual([]);
    expect(session.records.at(-1)?.end).toBeGreaterThan(2 * SEGMENT_BYTES);
    daemon.close();
  });

  it('loses no output when the daemon disconnects during a flood', async () => {
    const daemon = await host.connect({ takes: false });
    const session = await daemon.spawn(['/usr/bin/seq', '1', '200000']);
    await session.until('out');
    daemon.close();
    await daemon.closed;
    const again = await host.connect();
    const same = again.follow(session.sessionId);
    await same.exit();
    expect(hash(same.output())).toBe(expected.get(200_000));
    // A tool that reads the files gets the same records.
    const fromFiles = [...readJournal(host.journals, session.sessionId)];
    expect(fromFiles.map(({ end }) => end)).toEqual(same.records.map(({ end }) => end));
    again.close();
  });
});
