/**
 * The host's sessions and their operations: one handler per command of the contract (`hello` belongs to the
 * connection).
 *
 * Knows nothing of sockets and lines (server.ts) and nothing of bytes (session.ts).
 */
import { OrchdError } from '../protocol/errors.js';
import {
  type HostCommandName,
  type HostCommands,
  type HostSession,
  type ProcessInfo,
  type SpawnRequest,
  WATCH_CONTRACT,
} from './contract.js';
import { Beat, type BeatPorts, FLOODS_AT_A_TIME, FloodScheduler } from './output/index.js';
import { endProcesses, isStillThere, needTaskRoom, type SessionScopes, withAncestors } from './processes/index.js';
import { Session, type SessionPorts } from './session.js';

/** Maximum time after SIGKILL until the kernel reports the end of the session leader. */
const PATIENCE_MS = 3000;

export interface HostPorts {
  readonly journals: string;
  readonly onGrew: SessionPorts['onGrew'];
  /** Replaces the scheduler of floods in tests. */
  readonly floods?: SessionPorts['floods'];
  /** Called when all sessions whose growth was reported as `beat` have been read. */
  readonly onBeat: () => void;
  readonly log: (line: string) => void;
  /** Replaces AWAY_CAP_BYTES in tests. */
  readonly awayCapBytes?: number;
  /** Replaces the timer in tests. */
  readonly scheduleBeat?: NonNullable<BeatPorts['schedule']>;
  /** Null or undefined if sessions have no cgroups. */
  readonly scopes?: SessionScopes | null;
  /** Replaces the writing of journals. Tests simulate a full disk with it. */
  readonly write?: NonNullable<SessionPorts['write']>;
}

type Handlers = {
  readonly [N in Exclude<HostCommandName, 'hello'>]: (
    input: HostCommands[N]['in'],
  ) => HostCommands[N]['out'] | Promise<HostCommands[N]['out']>;
};

export class Host {
  readonly #ports: HostPorts;
  readonly #scopes: SessionScopes | null;
  readonly #sessions = new Map<string, Session>();
  /** Process id of the connected daemon. Null while none is connected. */
  #daemon: number | null = null;
  /** True if the connected daemon reports which sessions are watched, or if no daemon is connected. */
  #knowsWatched = true;
  readonly #beat: Beat;
  readonly #floods: SessionPorts['floods'];
  #isEnding = false;

  constructor(ports: HostPorts) {
    this.#ports = ports;
    this.#scopes = ports.scopes ?? null;
    this.#beat = new Beat({
      isWatching: () => [...this.#sessions.values()].some(({ isWatched }) => isWatched),
      onSettled: ports.onBeat,
      ...(ports.scheduleBeat && { schedule: ports.scheduleBeat }),
    });
    this.#floods = ports.floods ?? new FloodScheduler({ beat: this.#beat, most: FLOODS_AT_A_TIME });
  }

  /**
   * Called when a daemon connects (with its pid and contract) or disconnects (null). Flow control and beats depend on
   * it.
   */
  attend(daemon: { readonly pid: number; readonly contract: number } | null): void {
    this.#daemon = daemon?.pid ?? null;
    this.#knowsWatched = daemon === null || daemon.contract >= WATCH_CONTRACT;
    for (const session of this.#sessions.values()) session.attend();
  }

  describe(): HostSession[] {
    return [...this.#sessions.values()].map((session) => session.describe());
  }

  readonly handlers: Handlers = {
    spawn: (request) => this.#spawn(request),
    write: ({ sessionId, writeId, steps }) => this.#session(sessionId).write(writeId, steps),
    keys: ({ sessionId, text }) => this.#session(sessionId).keys(text),
    reply: ({ sessionId, query, text }) => this.#session(sessionId).reply(query, text),
    resize: ({ sessionId, cols, rows }) => this.#session(sessionId).resize(cols, rows),
    note: ({ sessionId, name, data }) => this.#session(sessionId).note(name, data),
    tick: ({ sessionId, since, quietMs, stays = false }) => {
      this.#session(sessionId).tick(quietMs === null ? null : { since, quietMs, stays });
      return {};
    },
    taken: ({ sessionId, position }) => {
      this.#session(sessionId).taken(position);
      return {};
    },
    proceed: ({ sessionId, writeId }) => {
      this.#session(sessionId).proceed(writeId);
      return {};
    },
    watch: ({ sessionId, isWatched }) => {
      this.#session(sessionId).watch(isWatched);
      return {};
    },
    person_waits: () => {
      this.#floods.personWaits();
      return {};
    },
    kill: async (command) => {
      const { sessionId, graceMs } = command;
      const session = this.#sessions.get(sessionId);
      if (!session) return { position: 0, escaped: await this.#endStrays(command) };
      const [escaped = []] = await this.#end([session], graceMs);
      return { position: session.position, escaped };
    },
    terminal: ({ sessionId }) => this.#session(sessionId).terminal(),
    forget: ({ sessionId }) => {
      const session = this.#session(sessionId);
      if (!session.isEnded) throw new OrchdError('ORCHD_INVALID', `${sessionId} has not ended; kill it first`);
      session.close();
      this.#scopes?.leave(sessionId);
      this.#sessions.delete(sessionId);
      return {};
    },
    shutdown: ({ graceMs }) => this.shutdown(graceMs),
  };

  /** Kills every session. No session can be started after that. */
  async shutdown(graceMs: number): Promise<{ killed: number }> {
    this.#isEnding = true;
    const living = [...this.#sessions.values()].filter((session) => !session.isEnded);
    await this.#end([...this.#sessions.values()], graceMs);
    for (const session of this.#sessions.values()) session.close();
    this.#scopes?.close();
    return { killed: living.length };
  }

  /**
   * Ends several sessions together.
   * @returns For each session, the processes that survived.
   */
  async #end(sessions: readonly Session[], graceMs: number): Promise<(readonly ProcessInfo[])[]> {
    const owners = sessions.map(({ sessionId, pid, isEnded }) => ({ sessionId, leader: isEnded ? null : pid }));
    const spared = this.#spared();
    let ending: ReturnType<typeof endProcesses> | undefined;
    const endAll = () => {
      ending ??= endProcesses(owners, graceMs, spared, this.#scopes);
      return ending;
    };
    return Promise.all(
      sessions.map((session) =>
        session.kill(async () => (await endAll()).get(session.sessionId) ?? [], graceMs + PATIENCE_MS),
      ),
    );
  }

  /**
   * Ends the remaining processes of an earlier host's session. They are found by their environment, and by the program
   * if it still exists.
   */
  async #endStrays({ sessionId, graceMs, earlier }: HostCommands['kill']['in']): Promise<readonly ProcessInfo[]> {
    const leader = earlier && (await isStillThere(earlier)) ? earlier.pid : null;
    const ended = await endProcesses([{ sessionId, leader }], graceMs, this.#spared(), this.#scopes);
    return ended.get(sessionId) ?? [];
  }

  #spared(): Set<number> {
    return withAncestors(this.#daemon === null ? [process.pid] : [process.pid, this.#daemon]);
  }

  #spawn(request: SpawnRequest): HostCommands['spawn']['out'] {
    const { sessionId } = request;
    if (this.#isEnding) throw new OrchdError('ORCHD_SPAWN_FAILED', 'the host is ending');
    if (this.#sessions.has(sessionId)) {
      throw new OrchdError('ORCHD_NAME_TAKEN', `there is a session ${sessionId} already`, { session_id: sessionId });
    }
    needTaskRoom();
    // `kill` finds the session's processes by this variable, even if they have left its process group.
    const env = { ...request.env, ORCHD_SESSION_ID: sessionId };
    const ports = this.#sessionPorts();
    const start = () => new Session({ ...request, env }, ports);
    const session = this.#scopes ? this.#scopes.inside(sessionId, start) : start();
    this.#sessions.set(sessionId, session);
    return { pid: session.pid, position: session.position, from: session.from };
  }

  /** These functions live as long as the session. In a request's scope, they would keep its arguments in memory. */
  #sessionPorts(): SessionPorts {
    const isAttended = () => this.#daemon !== null;
    const knowsWatched = () => this.#knowsWatched;
    return { ...this.#ports, isAttended, knowsWatched, beat: this.#beat, floods: this.#floods };
  }

  #session(sessionId: string): Session {
    const session = this.#sessions.get(sessionId);
    if (!session) throw new OrchdError('ORCHD_SESSION_UNKNOWN', `the host has no session ${sessionId}`);
    return session;
  }
}
