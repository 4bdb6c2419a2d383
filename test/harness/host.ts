/**
 * A real host in a directory of its own, and sessions in it, for tests of any floor.
 *
 *   const host = await startHost();
 *   const daemon = await host.connect();
 *   const session = await daemon.spawn('echo hello; read x');
 *   await session.untilText('hello');
 *   await host.stop();
 *
 * Nothing sleeps: every wait ends with a record, a notice or an exit. Needs `npm run build`: to run the source through
 * tsx would cost six times as much CPU time for each host.
 */
import { type ChildProcess, spawn as spawnProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  connectHost,
  type Damage,
  type ExitRecord,
  grownIn,
  type HostClient,
  type HostClientOptions,
  type HostNotice,
  type JournalReader,
  type JournalRecord,
  openJournal,
  type SpawnRequest,
} from '../../src/host/index.js';

const MAIN = join(import.meta.dirname, '../../dist/host.js');

export interface TestHost {
  readonly directory: string;
  readonly socketPath: string;
  readonly journals: string;
  readonly process: ChildProcess;
  /** Connects as a daemon: a connection made before is replaced. */
  connect(options?: ConnectOptions): Promise<TestDaemon>;
  log(): string;
  /** Resolves with the exit code (or the signal) when the process has ended. */
  readonly ended: Promise<number | string>;
  /** Ends sessions, host and directory. */
  stop(): Promise<void>;
}
export interface ConnectOptions extends Partial<HostClientOptions> {
  /** True (default) to send `taken` for everything that was read, so that flow control never pauses a session. */
  readonly takes?: boolean;
}

/**
 * @param main  The host's program. Default: the bundle of this checkout.
 * @param more  Arguments for the program.
 */
export async function startHost({
  main = MAIN,
  directory = mkdtempSync(join(tmpdir(), 'orchd-host-')),
  more = [] as readonly string[],
} = {}): Promise<TestHost> {
  const socketPath = join(directory, 'host.sock');
  const journals = join(directory, 'journals');
  const logFile = join(directory, 'host.log');
  const args = ['--socket', socketPath, '--journals', journals, '--log', logFile, ...more];
  const child = spawnProcess(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | string>((resolve) => {
    child.on('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  await Promise.race([
    new Promise((resolve) => child.stdout.once('data', resolve)),
    ended.then((code) => Promise.reject(new Error(`the host ended with ${code}: ${complaint}`))),
  ]);
  const daemons: TestDaemon[] = [];
  return {
    directory,
    socketPath,
    journals,
    process: child,
    ended,
    async connect(options = {}) {
      const daemon = await connectTestDaemon(socketPath, journals, options);
      daemons.push(daemon);
      return daemon;
    },
    log: () => readFileSync(logFile, 'utf8'),
    async stop() {
      // The test itself may have ended the host.
      const client = await connectHost({ socketPath }).catch(() => null);
      await client?.call('shutdown', { graceMs: 50 }).catch(() => {});
      await ended;
      for (const daemon of daemons) daemon.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export interface TestDaemon {
  readonly client: HostClient;
  readonly call: HostClient['call'];
  readonly notices: readonly HostNotice[];
  /** Resolves when the connection has ended. */
  readonly closed: Promise<Error>;
  /** Starts a program: a shell script, or argv. */
  spawn(program: string | readonly string[], request?: Partial<SpawnRequest>): Promise<TestSession>;
  /** Follows a session that already exists. */
  follow(sessionId: string, pid?: number): TestSession;
  close(): void;
}

let spawned = 0;

async function connectTestDaemon(
  socketPath: string,
  journals: string,
  { takes = true, ...options }: ConnectOptions,
): Promise<TestDaemon> {
  const sessions = new Map<string, Follower>();
  const notices: HostNotice[] = [];
  /** The first notices of a session may arrive before the reply to `spawn`. */
  const announced = new Map<string, number>();
  let close: (cause: Error) => void = () => {};
  const closed = new Promise<Error>((resolve) => {
    close = resolve;
  });
  const client = await connectHost({
    socketPath,
    ...options,
    onNotice: (notice) => {
      notices.push(notice);
      options.onNotice?.(notice);
      for (const [sessionId, position] of grownIn(notice)) {
        announced.set(sessionId, position);
        sessions.get(sessionId)?.grew(position);
      }
    },
    onClose: (cause) => {
      options.onClose?.(cause);
      close(cause);
    },
  });
  const follow = (sessionId: string, pid = 0): Follower => {
    const known = sessions.get(sessionId);
    if (known) return known;
    const taken = (position: number) => {
      if (takes) client.call('taken', { sessionId, position }).catch(() => {});
    };
    const session = new Follower(sessionId, pid, journals, taken);
    sessions.set(sessionId, session);
    const atHello = client.welcome.sessions.find((known) => known.sessionId === sessionId)?.position ?? 0;
    session.grew(announced.get(sessionId) ?? atHello);
    return session;
  };
  return {
    client,
    call: client.call,
    notices,
    closed,
    async spawn(program, request = {}) {
      spawned++;
      const sessionId = request.sessionId ?? `ses_${process.pid}_${spawned}`;
      const argv = typeof program === 'string' ? ['/bin/sh', '-c', program] : program;
      const environment = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', TERM: 'xterm-256color', LC_ALL: 'C.UTF-8' };
      const { pid } = await client.call('spawn', {
        sessionId,
        file: argv[0] ?? '',
        argv,
        cwd: tmpdir(),
        env: environment,
        umask: 0o022,
        cols: 80,
        rows: 24,
        notes: [],
        ...request,
      });
      return follow(sessionId, pid);
    },
    follow,
    close: () => {
      client.close();
      for (const session of sessions.values()) session.close();
    },
  };
}

export interface TestSession {
  readonly sessionId: string;
  readonly pid: number;
  /** Every record read so far; output bytes are copies. */
  readonly records: readonly JournalRecord[];
  readonly damaged: readonly Damage[];
  /** All output so far. */
  output(): Buffer;
  /** Resolves with the first record that matches, among those already read and future ones. */
  until<K extends JournalRecord['kind']>(
    kind: K,
    fits?: (record: Extract<JournalRecord, { kind: K }>) => boolean,
  ): Promise<Extract<JournalRecord, { kind: K }>>;
  /** Waits until the output holds the text. */
  untilText(text: string): Promise<void>;
  exit(): Promise<ExitRecord>;
}

class Follower implements TestSession {
  readonly sessionId: string;
  readonly pid: number;
  readonly records: JournalRecord[] = [];
  readonly damaged: Damage[] = [];
  readonly #reader: JournalReader;
  readonly #taken: (position: number) => void;
  #waiting: (() => void)[] = [];

  constructor(sessionId: string, pid: number, journals: string, taken: (position: number) => void) {
    this.sessionId = sessionId;
    this.pid = pid;
    this.#reader = openJournal(journals, sessionId);
    this.#taken = taken;
  }

  grew(position: number): void {
    const outcome = this.#reader.read(position, (record) => {
      this.records.push(record.kind === 'out' ? { ...record, bytes: Uint8Array.from(record.bytes) } : record);
    });
    this.damaged.push(...outcome.damaged);
    this.#taken(outcome.position);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const look of waiting) look();
  }

  output(): Buffer {
    return Buffer.concat(this.records.map((record) => (record.kind === 'out' ? record.bytes : Buffer.alloc(0))));
  }

  until<K extends JournalRecord['kind']>(
    kind: K,
    fits: (record: Extract<JournalRecord, { kind: K }>) => boolean = () => true,
  ): Promise<Extract<JournalRecord, { kind: K }>> {
    const isIt = (record: JournalRecord): record is Extract<JournalRecord, { kind: K }> =>
      // `kind` decides the type; the compiler does not follow it through a type parameter.
      record.kind === kind && fits(record as Extract<JournalRecord, { kind: K }>);
    return this.#await(() => this.records.find(isIt));
  }

  async untilText(text: string): Promise<void> {
    await this.#await(() => this.output().includes(text) || undefined);
  }

  exit(): Promise<ExitRecord> {
    return this.until('exit');
  }

  close(): void {
    this.#reader.close();
  }

  #await<T>(look: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const again = () => {
        const found = look();
        if (found === undefined) this.#waiting.push(again);
        else resolve(found);
      };
      again();
    });
  }
}
