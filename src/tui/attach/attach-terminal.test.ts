/** Tests how an attached terminal ends, depending on the daemon's messages. test/tui tests the rest in a pty. */
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { aSession } from '../../../test/tui/data.js';
import type { Client, ClientControl, DaemonControl, Terminal } from '../../client/index.js';
import { ATTACH_SEGMENTS, OrchdError, type Session, type Size, segmentsOf } from '../../protocol/index.js';
import { attachTerminal } from './attach-terminal.js';

interface StreamEnd {
  readonly control?: DaemonControl;
  readonly code: number;
  readonly reason?: string;
  /** The session afterwards. */
  readonly session?: Partial<Session>;
  /** The size with which the stream was opened before the terminal's size was read, which is 80 × 24. */
  readonly asked?: Size;
}

/** Attaches to a stream that ends at once. */
async function attach({ control, code, reason = '', session = {}, asked }: StreamEnd) {
  const sent: ClientControl[] = [];
  const terminal: Terminal = {
    onBytes: () => {},
    onControl: (listener) => control && listener(control),
    sendBytes: async () => {},
    sendControl: async (message) => void sent.push(message),
    pause: () => {},
    resume: () => {},
    ended: Promise.resolve({ code, reason }),
    close: () => {},
  };
  const now = aSession(session);
  const client = {
    terminal: async () => terminal,
    call: async (name: string) => {
      if (name === 'session.wait' && now.ended_at === null) throw new OrchdError('ORCHD_TIMEOUT', 'it lives');
      return now;
    },
  } as unknown as Client; // the methods that attaching calls
  const stdout = new PassThrough();
  const streams = { stdin: new PassThrough(), stdout } as unknown as NonNullable<
    Parameters<typeof attachTerminal>[0]['streams']
  >; // no ttys: raw mode is optional, sizes have defaults
  const end = await attachTerminal({
    client,
    session: now,
    prefix: 'C-]',
    isReadOnly: false,
    streams,
    keys: {},
    hasMouse: true,
    goesOn: true,
    segments: segmentsOf('name | guests keys', ATTACH_SEGMENTS),
    hasStatus: true,
    clipboard: 'off',
    notify: 'off',
    isKept: false,
    env: {},
    ...(asked && { first: { terminal: Promise.resolve(terminal), size: asked } }),
  });
  return { end, sent, written: String(stdout.read()) };
}

const ENDED = { ended_at: '2026-03-01T10:00:09.000Z' };

describe('an attached terminal', () => {
  it('ends with the state and signal of the exit message', async () => {
    const control: DaemonControl = { type: 'exit', state: 'failed', exit_code: null, signal: 'SIGKILL' };
    const { end } = await attach({ control, code: 1000 });
    expect(end).toMatchObject({ kind: 'ended', state: 'failed', exitCode: null, signal: 'SIGKILL' });
  });

  it('sends a resize only if the size has changed since the stream was requested', async () => {
    const resized = async (asked: Size) => {
      const { sent } = await attach({ code: 1000, session: ENDED, asked });
      return sent.filter(({ type }) => type === 'resize');
    };
    expect(await resized({ cols: 100, rows: 30 })).toEqual([{ type: 'resize', cols: 80, rows: 23 }]);
    expect(await resized({ cols: 80, rows: 23 })).toEqual([]);
  });

  it('ends without an error if another client detaches it', async () => {
    const { end } = await attach({ control: { type: 'detached' }, code: 1008, reason: 'another client' });
    expect(end).toMatchObject({ kind: 'detached', bySomeone: true });
  });

  it('shows the number of other clients', async () => {
    const { written } = await attach({
      control: { type: 'clients', others: 1, readers: 2 },
      code: 1000,
      session: ENDED,
    });
    expect(written).toContain('1 other · 2 guests · Ctrl-] ? helps');
  });

  it('ends with the exit message, whatever closed the stream', async () => {
    const control: DaemonControl = { type: 'exit', state: 'exited', exit_code: 3 };
    const { end } = await attach({ control, code: 1011, reason: 'it has ended' });
    expect(end).toMatchObject({ kind: 'ended', state: 'exited', exitCode: 3, signal: null });
  });

  it.each([1000, 1011])(
    'ends with the state of the session if the stream closes with %i but no exit message',
    async (code) => {
      const { end } = await attach({ code, session: { ...ENDED, state: 'failed', signal: 'SIGTERM' } });
      expect(end).toMatchObject({ kind: 'ended', state: 'failed', exitCode: null, signal: 'SIGTERM' });
    },
  );

  it('throws if the stream fails while the program runs', async () => {
    const failure = attach({ code: 1011, reason: 'no screen' });
    await expect(failure).rejects.toMatchObject({
      code: 'ORCHD_INTERNAL',
      message: expect.stringContaining('no screen'),
    });
  });

  it('shows in the title how to detach, before any output, and restores the title', async () => {
    const { written } = await attach({ code: 1000, session: { ...ENDED, name: 'build' } });
    expect(written).toMatch(/^\x1b\[22;0t\x1b\]2;build — orchd \(Ctrl-\] d detaches\)\x07/);
    expect(written).toContain('\x1b]2;\x07\x1b[23;0t');
  });
});
