/**
 * Sends events of 1 KiB to SUBSCRIBERS at once, and counts the deliveries a second of the daemon's event bus and its
 * NDJSON streams over Unix sockets. Everything is in this process, so the time for reading is included, and the daemon
 * alone is faster.
 */
import { setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEventBus } from '../../src/daemon/events/event-bus.js';
import { streamEvents } from '../../src/daemon/server/events.js';
import { createMemoryStore } from '../harness/memory-store.js';
import type { Bench } from './bench.js';

const SUBSCRIBERS = 100;
const EVENTS = 10_000;
/** Number of events per commit. */
const BATCH = 100;
const TEXT = 'x'.repeat(900);

export const fanout: Bench = {
  name: 'fanout',
  summary: `events of 1 KiB to ${SUBSCRIBERS} subscribers`,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'orchd-bench-'));
    const bus = createEventBus(createMemoryStore(), 0);
    const end = new AbortController();
    setMaxListeners(0, end.signal);
    const request = {
      filter: { since: undefined },
      follow: true,
      limit: Number.POSITIVE_INFINITY,
      form: 'ndjson',
    } as const;
    const server = createServer(
      (_request, response) => void streamEvents(response, request, bus, end.signal, () => {}),
    );
    await new Promise<void>((resolve) => server.listen(join(folder, 'socket'), resolve));
    const readers = await Promise.all(Array.from({ length: SUBSCRIBERS }, () => subscribe(join(folder, 'socket'))));
    try {
      const cpu = process.cpuUsage();
      const start = performance.now();
      for (let seq = 1; seq <= EVENTS; seq += BATCH) {
        publish(bus, seq);
        await new Promise(setImmediate);
      }
      await Promise.all(readers.map(({ hasAll }) => hasAll));
      const seconds = (performance.now() - start) / 1e3;
      const { user, system } = process.cpuUsage(cpu);
      const count = EVENTS * SUBSCRIBERS;
      const note = `${((user + system) / count).toFixed(2)} us CPU each, the reading included`;
      return [{ what: 'deliveries', value: count / seconds, unit: '/s', least: 300_000, note }];
    } finally {
      end.abort();
      for (const { close } of readers) close();
      server.close();
      rmSync(folder, { recursive: true });
    }
  },
};

function publish(bus: ReturnType<typeof createEventBus>, firstSeq: number): void {
  const timestamp = '2026-01-02T03:04:05.006Z';
  const events = Array.from({ length: BATCH }, () => ({ event_type: 'session_updated', timestamp, text: TEXT }));
  bus.publish(events, { firstSeq, lines: events.map((event, at) => JSON.stringify({ seq: firstSeq + at, ...event })) });
}

/** Resolves when the reply has begun. The subscriber then waits for the first event. */
function subscribe(path: string): Promise<{ hasAll: Promise<void>; close(): void }> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    let hasBegun = false;
    let onAll: () => void = () => {};
    const hasAll = new Promise<void>((done) => {
      onAll = done;
    });
    const lastMark = Buffer.from(`"seq":${EVENTS},`);
    socket.on('data', (bytes) => {
      if (!hasBegun) {
        hasBegun = true;
        resolve({ hasAll, close: () => socket.destroy() });
      }
      if (bytes.includes(lastMark)) onAll();
    });
  });
}
