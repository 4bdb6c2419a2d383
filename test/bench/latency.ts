/**
 * How soon a message is known, and how soon an answer is typed; idle, and beside BUSY sessions that print LINES_PER_SECOND each.
 *
 *     block → event     from the write of a block's last byte (the program puts the moment into it) until a subscriber of the event
 *                       stream, over the Unix socket, has parsed its event, which is on disk by then
 *     answer → pty      from the API call until the program that asked has read the line from its terminal
 *     fdatasync         of one page into a file of this disk: an event is announced when it is on disk
 *     block → pipe      the same blocks through tmux's pipe-pane and `cat` to a reader, and through a bare pty: what any chain costs
 *
 * All clocks are the machine's monotonic one. The subscribers live in this process, beside nothing else.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as nodePty from 'node-pty';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type Bench, type Figure, tail } from './bench.js';
import { makeBusy, PROGRAMS } from './busy.js';
import { createFolder } from './inputs.js';
import { startTmux } from './tmux.js';

const MESSAGES = 300;
const EVERY_MS = 15;
const ANSWERS = 150;
const BUSY = 50;
const LINES_PER_SECOND = 100;
/** A bench that takes longer is stuck. */
const PATIENCE_MS = 60_000;
const STAMPS = [process.execPath, join(PROGRAMS, 'stamps.mjs'), String(MESSAGES), String(EVERY_MS)];

export const latency: Bench = {
  name: 'latency',
  summary: `block → event, answer → pty; idle, and beside ${BUSY} sessions of ${LINES_PER_SECOND} lines/s`,
  async run() {
    const folder = createFolder();
    const daemon = await startDaemon();
    try {
      const figures: Figure[] = [
        ...tail('block → event, idle', await blocks(daemon), 20),
        ...tail('answer → pty, idle', await answers(daemon), 50),
        ...tail('beside it: fdatasync', await syncs(folder.path)),
        ...tail('beside it: block → pty', await throughPty()),
        ...(await throughTmux(folder.path)),
      ];
      const busy = { sessions: BUSY, linesPerSecond: LINES_PER_SECOND };
      const calm = await makeBusy(folder.path, busy, (command) => daemon.client.call('session.start', { command }));
      figures.push(
        ...tail('block → event, busy', await blocks(daemon), 50),
        ...tail('answer → pty, busy', await answers(daemon), 50),
      );
      calm();
      return figures;
    } finally {
      await daemon.close();
      folder.remove();
    }
  },
};

const patience = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);

/** Since the moment that a text holds between `@@`; null if it holds none. */
function sinceStamp(text: string): number | null {
  const stamp = /@@(\d+)@@/.exec(text)?.[1];
  return stamp === undefined ? null : Number(process.hrtime.bigint() - BigInt(stamp)) / 1e6;
}

async function blocks({ client }: TestDaemon): Promise<number[]> {
  const times: number[] = [];
  const { last_seq: since } = await client.call('daemon.status', {});
  const { id } = await client.call('session.start', { command: STAMPS });
  for await (const event of client.events({
    follow: true,
    since,
    type: ['message'],
    session: id,
    signal: patience(),
  })) {
    const ms = sinceStamp(JSON.stringify(event));
    if (ms !== null) times.push(ms);
    if (times.length === MESSAGES) break;
  }
  await client.call('session.kill', { session: id });
  return times;
}

async function answers({ client }: TestDaemon): Promise<number[]> {
  const times: number[] = [];
  let called = 0n;
  const { last_seq: since } = await client.call('daemon.status', {});
  const { id } = await client.call('session.start', { command: [process.execPath, join(PROGRAMS, 'asker.mjs')] });
  const type = ['item_opened', 'message'] as const;
  for await (const event of client.events({ follow: true, since, type: [...type], session: id, signal: patience() })) {
    const stamp = /@@(\d+)@@/.exec(JSON.stringify(event))?.[1];
    if (stamp !== undefined) times.push(Number(BigInt(stamp) - called) / 1e6);
    if (times.length === ANSWERS) break;
    if (event.event_type !== 'item_opened') continue;
    called = process.hrtime.bigint();
    await client.call('inbox.answer', { item: event.item_id, text: 'yes' });
  }
  await client.call('session.kill', { session: id });
  return times;
}

async function syncs(folder: string): Promise<number[]> {
  const file = openSync(join(folder, 'synced'), 'w');
  const page = Buffer.alloc(4096);
  const times: number[] = [];
  while (times.length < MESSAGES) {
    await setTimeout(EVERY_MS / 3);
    writeSync(file, page);
    const start = performance.now();
    fdatasyncSync(file);
    times.push(performance.now() - start);
  }
  closeSync(file);
  return times;
}

/** Collects what comes, by whole blocks; resolves when all have come. */
function collect(listen: (take: (text: string) => void) => void): Promise<number[]> {
  return new Promise((resolve) => {
    const times: number[] = [];
    let rest = '';
    listen((text) => {
      const parts = `${rest}${text}`.split(/\n```\r?\n/);
      rest = parts.pop() ?? '';
      for (const part of parts) times.push(sinceStamp(part) ?? Number.NaN);
      if (times.length >= MESSAGES) resolve(times);
    });
  });
}

async function throughPty(): Promise<number[]> {
  const [file = '', ...args] = STAMPS;
  const pty = nodePty.spawn(file, args, {});
  const times = await collect((take) => pty.onData(take));
  pty.kill();
  return times;
}

async function throughTmux(folder: string): Promise<Figure[]> {
  const tmux = await startTmux(folder);
  if (!tmux) return [];
  const fifo = join(folder, 'pipe');
  execFileSync('mkfifo', [fifo]);
  const reader = new Socket({ fd: openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK) });
  await tmux.run('stamps', STAMPS.join(' '));
  const times = collect((take) => reader.setEncoding('utf8').on('data', take));
  await tmux.pipe('stamps', `exec cat > ${fifo}`);
  const found = await times;
  reader.destroy();
  await tmux.close();
  return tail('beside it: block → tmux pipe', found);
}
