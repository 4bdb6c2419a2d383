/**
 * Tests readers of the event log: each gets every event once and in order, even if it disconnects, falls behind and
 * returns.
 *
 * ORCHD_EVENTS=1000000 npx vitest run --config test/vitest.config.ts test/e2e/readers.test.ts
 */
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { pssMib } from '../harness/memory.js';
import { createRandom, givenSeed } from '../harness/random.js';

const EVENTS = Number(process.env['ORCHD_EVENTS'] ?? 20_000);
const SEED = givenSeed();
const PRINTERS = 4;
const READERS = 6;

let daemon: TestDaemon;
const printers: Session[] = [];
/** The seq of the last event that the printers cause. */
let lastSeq = 0;
let readersSaw: readonly (readonly number[])[] = [];

/** A program that prints its share of the fences as fast as it can. */
const PRINT = `const share = ${EVENTS / PRINTERS}; let i = 0;
const print = () => { while (i < share) { i++;
  const text = '\`\`\`orchestrator-message\\n{"type":"STATUS_UPDATE","data":{"currentStep":"step ' + i + '"}}\\n\`\`\`\\n';
  if (!process.stdout.write(text)) return process.stdout.once('drain', print); } };
print();`;

beforeAll(async () => {
  console.log(`${EVENTS} events, ORCHD_SEED=${SEED}`);
  daemon = await startDaemon();
  const isOver = new AbortController();
  const reading = Array.from({ length: READERS }, (_, i) => readerThatLeaves(SEED + i, isOver.signal));
  for (let i = 0; i < PRINTERS; i++) {
    const command = [process.execPath, '-e', PRINT];
    printers.push(await daemon.client.call('session.start', { command, cwd: '/', name: `printer-${i}` }));
  }
  for (const { id } of printers) await exited(id);
  lastSeq = (await daemon.client.call('daemon.status', {})).last_seq;
  isOver.abort();
  readersSaw = await Promise.all(reading);
}, 60_000 + EVENTS);
afterAll(() => daemon.close());

async function exited(id: string): Promise<void> {
  const signal = AbortSignal.timeout(60_000 + EVENTS);
  for await (const _ of daemon.client.events({ follow: true, since: 0, type: ['session_exited'], session: id, signal }))
    return;
  throw new Error('a printer does not end');
}

/** Reads from its last position, stops after a random number of events, and repeats this until it has all events. */
async function readerThatLeaves(seed: number, isOver: AbortSignal): Promise<number[]> {
  const random = createRandom(seed);
  const seqs: number[] = [];
  for (;;) {
    const isLast = isOver.aborted;
    let left = isLast ? Number.POSITIVE_INFINITY : random.below(2_000) + 1;
    for await (const event of daemon.client.events({ since: seqs.at(-1) ?? 0, follow: false })) {
      if (event.event_type === 'gap') throw new Error('a gap');
      seqs.push(event.seq);
      if (--left === 0) break;
    }
    if (isLast) return seqs;
    await new Promise(setImmediate);
  }
}

const counted = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

interface Raw {
  readonly sent: ClientRequest;
  readonly response: IncomingMessage;
}
const get = (path: string, headers: Record<string, string> = {}): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const sent = request({ socketPath: daemon.paths.socket, path, headers }, (response) => resolve({ sent, response }));
    sent.on('error', reject);
    sent.end();
  });

async function bodyOf({ response }: Raw): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return text;
}

/** Returns the first `count` text messages of an event WebSocket. */
function overWebSocket(query: string, count: number): Promise<string[]> {
  const socket = new WebSocket(`ws://localhost/api/events?${query}`, {
    createConnection: () => connect(daemon.paths.socket),
  });
  const lines: string[] = [];
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data: Buffer) => {
      if (lines.length === count) return; // More messages may arrive before the socket is closed.
      lines.push(data.toString());
      if (lines.length < count) return;
      socket.close();
      resolve(lines);
    });
  });
}

describe('the event log', () => {
  test(`reaches ${READERS} readers that leave and return at random, completely and in order`, () => {
    const all = counted(1, lastSeq);
    for (const seqs of readersSaw) expect(seqs).toEqual(all);
  });

  test('has every message of every printer', async () => {
    for (const { id } of printers) {
      const steps: unknown[] = [];
      for await (const event of daemon.client.events({ since: 0, session: id, type: ['message'] })) {
        if (event.event_type === 'message') steps.push(event.message.data['currentStep']);
      }
      expect(steps).toEqual(counted(1, EVENTS / PRINTERS).map((i) => `step ${i}`));
    }
  });

  test('is the same as NDJSON, as SSE and over a WebSocket, from disk and from memory', async () => {
    for (const since of [lastSeq - 3_000, 0]) {
      const count = Math.min(lastSeq - since, 3_000);
      const query = `since=${since}&limit=${count}`;
      const ndjson = (await bodyOf(await get(`/api/events?${query}`))).trimEnd().split('\n');
      const sse = await bodyOf(await get(`/api/events?${query}`, { accept: 'text/event-stream' }));
      const blocks = sse.trimEnd().split('\n\n');
      expect(blocks.map((block) => block.replace(/^id: \d+\ndata: /, ''))).toEqual(ndjson);
      expect(blocks.map((block) => Number(/^id: (\d+)/.exec(block)?.[1]))).toEqual(counted(since + 1, since + count));
      expect(await overWebSocket(`since=${since}`, count)).toEqual(ndjson);
    }
  });

  test('continues after Last-Event-ID, which browsers send', async () => {
    const headers = { accept: 'text/event-stream', 'last-event-id': String(lastSeq - 2) };
    const text = await bodyOf(await get('/api/events?since=0', headers));
    expect(text.match(/^id: \d+$/gm)).toEqual([`id: ${lastSeq - 1}`, `id: ${lastSeq}`]);
  });

  test('filtered by type and session is the same over every transport', async () => {
    const [printer] = printers;
    const query = `since=0&type=session_started&type=session_exited&session=${printer?.id}`;
    const ndjson = (await bodyOf(await get(`/api/events?${query}`))).trimEnd().split('\n');
    expect(ndjson.map((line) => JSON.parse(line).event_type)).toEqual(['session_started', 'session_exited']);
    expect(await overWebSocket(query, 2)).toEqual(ndjson);
    const listed = await daemon.client.call('event.list', {
      since: 0,
      type: ['session_started'],
      session: 'printer-1',
    });
    expect(listed).toMatchObject([{ event_type: 'session_started', session_id: printers[1]?.id }]);
  });

  test('filtered by types that never occur ends immediately without follow', async () => {
    expect(await bodyOf(await get('/api/events?since=0&type=answer_stalled'))).toBe('');
  });
});

test('a reader that stops reading delays no other reader and gets every event later', async () => {
  const { daemon: own } = await daemon.client.call('daemon.status', {});
  const sleepers: Socket[] = [];
  for (let i = 0; i < 20; i++) {
    const socket = connect(daemon.paths.socket);
    socket.pause();
    socket.write('GET /api/events?since=0&follow=true HTTP/1.1\r\nhost: localhost\r\n\r\n');
    sleepers.push(socket);
  }
  const before = pssMib(own.pid);
  const session = await daemon.sh(`echo ':ORCHESTRATOR: TASK COMPLETE - while others sleep'`);
  await daemon.event('message', (event) => event.session_id === session.id, lastSeq);
  await exited(session.id);
  const { last_seq: end } = await daemon.client.call('daemon.status', {});
  expect(pssMib(own.pid) - before).toBeLessThan(100);
  for (const socket of sleepers.slice(1)) socket.destroy();
  const [sleeper] = sleepers;
  const wanted = `{"seq":${end},`;
  const chunks: string[] = [];
  // The last event may span two chunks. Searching the whole text each time takes minutes for 10^6 events.
  let tail = '';
  await new Promise<void>((resolve) => {
    sleeper?.setEncoding('utf8').on('data', (chunk: string) => {
      chunks.push(chunk);
      const seen = tail + chunk;
      if (seen.includes(wanted)) resolve();
      tail = seen.slice(-wanted.length);
    });
    sleeper?.resume();
  });
  sleeper?.destroy();
  const text = chunks.join('');
  // In chunked encoding, the sizes of the chunks are between the events.
  const seqs = [...text.matchAll(/\{"seq":(\d+),"/g)].map(([, seq]) => Number(seq));
  expect(new Set(seqs).size).toBe(seqs.length);
  expect(seqs.length).toBeGreaterThan(end * 0.99); // An event that is split by a chunk size is not found by its text.
});

test('a position after the last event is refused with the newest seq', async () => {
  const stream = daemon.client.events({ since: 99_999_999, follow: true });
  await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: 'ORCHD_INVALID',
    details: { last_seq: expect.any(Number) },
  });
});
