/**
 * Connects an attached terminal with the daemon that has the session: calls, streams, the state of the other sessions,
 * and words for its absence. That daemon runs on this machine, or on another one of the hub. The daemon of this machine
 * then passes everything on.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, callMachine, type Terminal, type TerminalEnd } from '../../client/index.js';
import { CLOSE, OrchdError, type State } from '../../protocol/index.js';
import { followDaemon } from '../model/follow-daemon.js';
import type { ModelInput } from '../model/model.js';
import { wordsOf } from '../paint/text.js';

/** The end of a program. */
export interface Exit {
  readonly state: State;
  readonly exitCode: number | null;
  /** The signal that ended the program, such as `SIGKILL`. */
  readonly signal: string | null;
}

export interface AttachTransport extends Pick<Client, 'call' | 'terminal'> {
  /** The other machine; null for this one. */
  readonly machine: string | null;
  /** Keeps the model as it is there. Ends when the signal aborts. Never rejects. */
  follow(take: (input: ModelInput) => void, lastSeq: () => number, signal: AbortSignal): Promise<void>;
  /** Returns how a session has ended; null if it lives. */
  exitOf(session: string): Promise<Exit | null>;
  /** True for an error that passes once the daemon or the machine can be reached again. */
  isAway(error: unknown): boolean;
  /** The notice while it is away. @param leave  How to leave, such as `Ctrl-] d leaves`. */
  awayNotice(reason: string, leave: string): string;
  /** The pause between two tries to open the stream again. */
  readonly retryMs: number;
}

/** Milliseconds to wait for the end of the session after its stream has failed: the program's end may be the cause. */
const END_MS = 1_000;
const RETRY_MS = 100;
const DAEMON_AWAY: readonly string[] = ['ORCHD_DAEMON_UNREACHABLE', 'ORCHD_DAEMON_SILENT'];
const isOneOf = (codes: readonly string[], error: unknown): boolean =>
  error instanceof OrchdError && codes.includes(error.code);

export function ownTransport(client: Client): AttachTransport {
  return {
    machine: null,
    retryMs: RETRY_MS,
    call: client.call,
    terminal: client.terminal,
    follow: (take, lastSeq, signal) => followDaemon({ client, take, lastSeq, now: Date.now, signal }),
    async exitOf(session) {
      try {
        const input = { session, until: 'exited', timeout_ms: END_MS } as const;
        const { state, exit_code, signal } = await client.call('session.wait', input);
        return { state, exitCode: exit_code, signal };
      } catch (error) {
        if (error instanceof OrchdError && error.code === 'ORCHD_TIMEOUT') return null;
        throw error;
      }
    },
    isAway: (error) => isOneOf(DAEMON_AWAY, error),
    awayNotice: (_reason, leave) =>
      `the daemon is away, \`orchd start\` brings it back; the session goes on (${leave})`,
  };
}

/** The pause between two looks at the sessions and items of another machine. */
const ROUND_MS = 1_000;
const MACHINE_RETRY_MS = 500;
/** A daemon that has just started is on no hub yet. A server that does not reply in time refuses. */
const MACHINE_AWAY: readonly string[] = [
  ...DAEMON_AWAY,
  'ORCHD_HUB_UNREACHABLE',
  'ORCHD_HUB_NOT_JOINED',
  'ORCHD_HUB_REFUSED',
  'ORCHD_HUB_EXPIRED',
  'ORCHD_MACHINE_AWAY',
];

export function machineTransport(client: Client, machine: string): AttachTransport {
  const call: Client['call'] = (name, input, options) => callMachine(client, machine, name, input, options);
  return {
    machine,
    retryMs: MACHINE_RETRY_MS,
    call,
    terminal: (session, options) => client.terminal(session, { ...options, machine }),
    async follow(take, _lastSeq, signal) {
      while (!signal.aborted) {
        try {
          const [status, sessions, items] = await Promise.all([
            client.call('daemon.status', {}, { signal }),
            client.call('hub.sessions', { machine }, { signal }),
            client.call('hub.items', { machine }, { signal }),
          ]);
          const there = { sessions: sessions.map(({ session }) => session), items: items.map(({ item }) => item) };
          take({ kind: 'snapshot', snapshot: { status, ...there }, at: Date.now() });
        } catch (error) {
          if (isOneOf(DAEMON_AWAY, error)) take({ kind: 'away', why: wordsOf(error) });
        }
        await sleep(ROUND_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    },
    async exitOf(session) {
      const { ended_at, state, exit_code, signal } = await call('session.show', { session });
      return ended_at === null ? null : { state, exitCode: exit_code, signal };
    },
    isAway: (error) => isOneOf(MACHINE_AWAY, error),
    awayNotice: (reason, leave) => `no connection to ${machine}, the session goes on (${leave}): ${reason}`,
  };
}

/**
 * Finds out how an attached program ended if its stream did not say so.
 * @throws {OrchdError} The error that ended the stream while the program is still running.
 */
export async function exitOf(
  transport: Pick<AttachTransport, 'exitOf'>,
  session: string,
  { code, reason }: TerminalEnd,
): Promise<Exit> {
  if (code === CLOSE.normal || code === CLOSE.failed) {
    const ended = await transport.exitOf(session);
    if (ended) return ended;
  }
  if (code === CLOSE.notAllowed) throw new OrchdError('ORCHD_FORBIDDEN', reason || 'the daemon does not allow this');
  throw new OrchdError('ORCHD_INTERNAL', `the terminal stream ended with ${code}: ${reason || 'no reason given'}`);
}

/**
 * Waits until the daemon that has the session can be reached again.
 *
 * @param say   Shows why the stream could not be opened.
 * @param left  Resolves if the person leaves meanwhile. The stream is then closed as soon as it opens.
 * @throws {OrchdError} The daemon's refusal.
 */
export async function reopenAttachStream<Left>(
  transport: Pick<AttachTransport, 'isAway' | 'retryMs'>,
  open: () => Promise<Terminal>,
  say: (why: string) => void,
  left: Promise<Left>,
): Promise<Terminal | Left> {
  const leaving = left.then((how) => ({ how }));
  for (;;) {
    const opening = open();
    try {
      const next = await Promise.race([opening, leaving]);
      if (!('how' in next)) return next;
      void opening.then((late) => late.close()).catch(() => {});
      return next.how;
    } catch (error) {
      if (!transport.isAway(error)) throw error;
      say(wordsOf(error));
    }
    const gone = await Promise.race([sleep(transport.retryMs), leaving]);
    if (gone) return gone.how;
  }
}
