import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CLOSE } from '../../protocol/index.js';
import { encodeFrame } from './frame.js';
import { createKeyPair, Seal } from './seal.js';
import { BEAT_MS, SILENT_BEATS, TerminalChannel } from './terminal-channel.js';

const ID = 'AAAAAAAAAAAAAAAAAAAAAA';
const MAX_PIECE_BYTES = 1_000;

/** The frames between two channels, in the order of sending. */
interface Wire {
  /** Changes what arrives at `to`; null loses the frame. Default: as it is. */
  pass: (frame: Buffer, to: TerminalChannel) => Buffer | null;
  readonly frames: Buffer[];
  /** Delivers what was sent. */
  deliver(): void;
}

let wire: Wire;
let viewer: TerminalChannel;
let owner: TerminalChannel;

const channel = (peer: string, seal: Seal, publish: (frame: Buffer) => void): TerminalChannel =>
  new TerminalChannel({ peer, seal, maxPieceBytes: MAX_PIECE_BYTES, ended: () => undefined, publish });

/** A channel for very much data: to seal it would take most of the time, and is not what is tested. */
function withoutSeal(): TerminalChannel {
  let sequence = 0;
  const noSeal = { open: (frame: Buffer) => ({ sequence: sequence++, frame }), seal: (frame: Buffer) => frame };
  return channel('laptop', noSeal as unknown as Seal, () => undefined);
}

beforeEach(() => {
  vi.useFakeTimers();
  const pairs = { laptop: createKeyPair(), build: createKeyPair() };
  const waiting: [Buffer, () => TerminalChannel][] = [];
  const sealOf = (own: 'laptop' | 'build', peer: 'laptop' | 'build'): Seal =>
    new Seal({ own, peer, id: ID }, pairs[own], pairs[peer].publicKey);
  const open = (own: 'laptop' | 'build', peer: 'laptop' | 'build', to: () => TerminalChannel): TerminalChannel =>
    channel(peer, sealOf(own, peer), (frame) => void waiting.push([frame, to]));
  wire = {
    pass: (frame) => frame,
    frames: [],
    deliver() {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [frame, to] = next;
        wire.frames.push(frame);
        const arriving = wire.pass(frame, to());
        if (arriving) to().receive(arriving);
      }
    },
  };
  viewer = open('laptop', 'build', () => owner);
  owner = open('build', 'laptop', () => viewer);
});
afterEach(() => {
  viewer.lost('the test is over');
  owner.lost('the test is over');
  vi.useRealTimers();
});

/** Passes time, and what was sent meanwhile. */
function pass(ms: number): void {
  for (let left = ms; left > 0; left -= 10) {
    vi.advanceTimersByTime(10);
    wire.deliver();
  }
}

const heard = (channel: TerminalChannel): [string, boolean][] => {
  const messages: [string, boolean][] = [];
  channel.on('message', (data, isBinary) => messages.push([data.toString(), isBinary]));
  return messages;
};
const endOf = (channel: TerminalChannel): [number, string][] => {
  const ends: [number, string][] = [];
  channel.on('close', (code, reason) => ends.push([code, reason]));
  return ends;
};

describe('messages', () => {
  test('arrive complete and in order, however long they are', () => {
    const long = 'x'.repeat(10 * MAX_PIECE_BYTES + 7);
    const exact = 'y'.repeat(MAX_PIECE_BYTES);
    const [there, here] = [heard(owner), heard(viewer)];
    for (const text of ['', 'a', exact, long, 'é']) viewer.send(text);
    owner.send(Buffer.from(long));
    wire.deliver();
    expect(there).toEqual(['', 'a', exact, long, 'é'].map((text) => [text, false]));
    expect(here).toEqual([[long, true]]);
  });

  test('count as unsent until the other machine has taken them', () => {
    const sent: string[] = [];
    owner.send(Buffer.alloc(2_500), () => sent.push('first'));
    owner.send('abc', () => sent.push('second'));
    expect(owner.bufferedAmount).toBe(2_503);
    viewer.pause();
    pass(200);
    expect([owner.bufferedAmount, sent]).toEqual([2_503, []]);
    const messages = heard(viewer);
    viewer.resume();
    pass(200);
    expect([owner.bufferedAmount, sent, messages.length]).toEqual([0, ['first', 'second'], 2]);
  });

  test('that wait while a channel is paused are delivered before its end', () => {
    const [messages, ends] = [heard(viewer), endOf(viewer)];
    viewer.pause();
    owner.send('last words');
    owner.close(1000, 'the program has ended');
    wire.deliver();
    expect([messages, ends]).toEqual([[], []]);
    viewer.resume();
    expect([messages, ends]).toEqual([[['last words', false]], [[1000, 'the program has ended']]]);
  });

  test('are not kept for a machine that sends on while this one takes nothing', () => {
    const paused = withoutSeal();
    const ends = endOf(paused);
    paused.pause();
    const frame = encodeFrame({ kind: 'piece', isBinary: true, isLast: true, bytes: Buffer.alloc(8 * 1024 * 1024) });
    for (let i = 0; i < 4; i++) paused.receive(frame);
    expect(ends).toEqual([]);
    paused.receive(frame);
    expect(ends).toEqual([[1009, 'too much was sent']]);
  });

  test.each([
    ['pieces', 0x80, 'a message is too large'],
    ['messages', 0, 'too much was sent'],
  ])('end the channel after too many empty %s', (_what, kind, reason) => {
    const paused = withoutSeal();
    const ends = endOf(paused);
    paused.pause();
    for (let i = 0; i < 200_000 && ends.length === 0; i++) paused.receive(Buffer.of(kind));
    expect(ends).toEqual([[1009, reason]]);
  });
});

describe('a frame', () => {
  test('of a stranger, of another direction, or of another time is ignored', () => {
    const [messages, ends] = [heard(owner), endOf(owner)];
    viewer.send('one');
    wire.deliver();
    const [copy = Buffer.alloc(0)] = wire.frames;
    owner.send('two');
    wire.deliver();
    const own = wire.frames.at(-1) ?? Buffer.alloc(0);
    const [stranger, victim] = [createKeyPair(), createKeyPair()];
    const forged = new Seal({ own: 'laptop', peer: 'build', id: ID }, stranger, victim.publicKey).seal(
      Buffer.from('\0x'),
    );
    const changed = Buffer.from(copy);
    changed[9] = (changed[9] ?? 0) ^ 1;
    for (const frame of [Buffer.alloc(0), Buffer.alloc(40), copy, own, forged, changed]) owner.receive(frame);
    viewer.send('three');
    wire.deliver();
    expect([messages, ends]).toEqual([
      [
        ['one', false],
        ['three', false],
      ],
      [],
    ]);
  });

  test('that is lost ends the channel', () => {
    const [messages, ends] = [heard(viewer), endOf(viewer)];
    let count = 0;
    wire.pass = (frame) => (++count === 2 ? null : frame);
    for (const text of ['one', 'two', 'three']) owner.send(text);
    wire.deliver();
    expect(messages).toEqual([['one', false]]);
    expect(ends).toEqual([[CLOSE.machineLost, "output of 'build' was lost"]]);
  });
});

describe('a machine', () => {
  test('that has nothing to say is there, and one that is silent ends the channel on the other side', () => {
    const ends = endOf(owner);
    pass(10 * SILENT_BEATS * BEAT_MS);
    expect(ends).toEqual([]);
    wire.pass = (frame, to) => (to === owner ? null : frame);
    const sent = vi.fn();
    owner.send('who is there', sent);
    pass((SILENT_BEATS + 2) * BEAT_MS);
    expect(ends).toEqual([[CLOSE.machineLost, "'laptop' does not reply"]]);
    expect(sent).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBeLessThanOrEqual(2); // those of the viewer
  });

  test('is ready with its first frame, and ends the channel on both sides', () => {
    const ready = vi.fn();
    owner.on('ready', ready);
    expect(ready).not.toHaveBeenCalled();
    viewer.greet();
    wire.deliver();
    viewer.greet();
    wire.deliver();
    expect(ready).toHaveBeenCalledOnce();
    const ends = [endOf(owner), endOf(viewer)];
    viewer.close(1000, 'detached');
    viewer.close(1011, 'again');
    wire.deliver();
    expect(ends).toEqual([[[1000, 'detached']], [[1000, 'detached']]]);
  });
});

test('a key that is none is refused', () => {
  for (const key of ['', 'x', Buffer.alloc(32).toString('base64url')]) {
    expect(() => new Seal({ own: 'a', peer: 'b', id: ID }, createKeyPair(), key), key).toThrow(/no X25519 key/);
  }
});
