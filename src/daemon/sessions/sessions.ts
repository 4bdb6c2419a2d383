/** Sessions: starts, revives and ends them, and loses them with their host. */
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import type { HostClient, HostSession } from '../../host/index.js';
import {
  DEFAULT_UMASK,
  fitCells,
  type InputOf,
  needFewCells,
  OrchdError,
  type OutputOf,
  type Session,
  type SessionId,
} from '../../protocol/index.js';
import type { StoredState } from '../../store/index.js';
import { needRoom } from '../events/index.js';
import {
  agentDir,
  findProgram,
  loginEnvironment,
  type ProgramStart,
  pickAdapter,
  startProgram,
  writeFiles,
} from '../program/index.js';
import type { SessionEntry } from '../registry/index.js';
import { admitAgain, admitSession, cursorAt } from './admit.js';
import type { StoredCursor } from './followed-session.js';
import { Following } from './following.js';
import { endOrphans, endStrays, outlivesHost } from './orphans.js';
import { type RecoveryPorts, recoverSessions } from './recovery.js';
import { planRevival, type RevivalPlan } from './revive.js';

interface SessionsPorts extends RecoveryPorts {
  /** Resolves when there is a host again after one has died. */
  readonly whenHost: () => Promise<HostClient>;
  readonly defaults: {
    readonly size: { cols: number; rows: number };
    readonly scrollbackLines: number;
    /** True if agents with instructions are also offered the tools. */
    readonly tools: boolean;
  };
}

const KEY_BYTES = 6;

/** Values that a caller may determine before a session starts. */
interface Given {
  readonly id?: SessionId;
  /** The text from which the session's name is made. */
  readonly label?: string;
  /** Files for the session's program, by name in its folder (`agentDir`). */
  readonly files?: Readonly<Record<string, string>>;
  /** The session's token. */
  readonly token?: string;
  /** Text that is added to the agent's system prompt. With it, messages need no key. */
  readonly instructions?: string;
  /** Tools that the agent must be offered by MCP. If that is impossible, the session is not started. */
  readonly toolNames?: readonly string[];
  /** The task and the run that the session works for. */
  readonly taskId?: string;
  readonly runId?: string;
}

type RevivalInput = Omit<InputOf<'session.revive'>, 'session'>;

/** Starts, recovers, revives, restarts and kills sessions. */
export class Sessions {
  readonly #ports: SessionsPorts;
  readonly #following: Following;

  constructor(ports: SessionsPorts) {
    this.#ports = ports;
    this.#following = new Following(ports);
  }

  /**
   * @param parent The session that makes the request, if it is a session.
   * @param given Additional values if a run starts the session.
   */
  async start(input: InputOf<'session.start'>, parent: SessionEntry | null, given: Given = {}): Promise<Session> {
    const { registry, paths, defaults, now } = this.#ports;
    needRoom(this.#ports.outbox, 'no session can be started');
    const [program = ''] = input.command;
    const batch = batchOf(input);
    const login = loginEnvironment();
    const env: Record<string, string | undefined> = input.env ?? login;
    const cwd = input.cwd ?? login.HOME;
    const file = findProgram(program, cwd, env['PATH']);
    const adapter = await pickAdapter(input.adapter, program);
    const name = registry.freeName(input.name, given.label ?? basename(program));
    const release = registry.reserve(name);
    try {
      const id = given.id ?? registry.newId();
      const { files = {} } = given;
      if (Object.keys(files).length > 0) writeFiles(agentDir(paths, id), files);
      const size = input.size ? needFewCells(input.size) : fitCells(defaults.size);
      const { teach = false, command, umask = DEFAULT_UMASK } = input;
      const tags = [...new Set(input.tags)].sort();
      const { toolNames, instructions } = given;
      const byDefault = teach !== false && defaults.tools ? ('if it can' as const) : false;
      const tools = input.tools ?? (toolNames !== undefined || byDefault);
      const key = input.key ?? (teach === false ? undefined : randomBytes(KEY_BYTES).toString('hex'));
      const host = await this.#ports.whenHost();
      const time = now(); // The start time for the journal: no output can be older.
      const { note, pid, position } = await startProgram(
        { paths, host, now },
        {
          sessionId: id,
          name,
          parent: parent?.id ?? null,
          adapter,
          file,
          command,
          argv: command,
          cwd,
          env,
          umask,
          size,
          scrollbackLines: linesAbove(input.scrollback, defaults.scrollbackLines, parent !== null),
          key,
          how: null,
          batch,
          wish: {
            isNamed: input.adapter !== undefined,
            teach: instructions ?? teach,
            tools,
            ...(toolNames && { toolNames }),
          },
          ...(given.token !== undefined && { token: given.token }),
          ...(tags.length > 0 && { tags }),
          ...(given.taskId !== undefined && { taskId: given.taskId }),
          ...(given.runId !== undefined && { runId: given.runId }),
        },
      );
      const entry = await admitSession(this.#ports, { id, note, command, cwd, pid, size, time });
      release();
      await this.#follow(entry, undefined, position, host);
      return entry.view;
    } finally {
      release();
    }
  }

  /**
   * Starts the program of an ended session again, in the same session.
   *
   * @throws {OrchdError} ORCHD_NOT_REVIVABLE, ORCHD_NAME_TAKEN; ORCHD_SESSION_UNKNOWN if it is removed meanwhile; the
   *   problem of the program.
   */
  async revive(selector: string, input: RevivalInput): Promise<OutputOf<'session.revive'>> {
    const { registry, paths } = this.#ports;
    const entry = registry.session(selector);
    if (!entry.hasEnded) throw new OrchdError('ORCHD_SESSION_ALIVE', `session '${entry.view.name}' is alive`);
    await entry.leaving;
    const plan = await planRevival(paths, entry, input.fresh ?? false);
    const { how, argv: command } = plan;
    if (input.dry_run) return { session: entry.view, how, command: [...command], dry_run: true };
    registry.session(entry.id); // it may have been removed meanwhile
    needRoom(this.#ports.outbox, 'no session can be started');
    const { name } = entry.aggregate.session;
    registry.freeName(name, '');
    const release = registry.reserve(name);
    try {
      entry.revival = this.#startAgain(entry, plan, input);
      await entry.revival;
    } finally {
      entry.revival = null;
      release();
    }
    return { session: entry.view, how, command: [...command], dry_run: false };
  }

  /**
   * Ends a program and starts it again. A program that could not be started again is not ended.
   *
   * @throws {OrchdError} as `revive`.
   */
  async restart(
    selector: string,
    input: RevivalInput,
    graceMs: number,
    by: string,
  ): Promise<OutputOf<'session.revive'>> {
    const entry = this.#ports.registry.session(selector);
    const { argv } = await planRevival(this.#ports.paths, entry, input.fresh ?? false);
    findProgram(argv[0] ?? '', entry.aggregate.session.cwd, (input.env ?? loginEnvironment())['PATH']);
    if (!entry.hasEnded) await this.kill(entry, graceMs, by);
    await this.#ports.catchingUp.needRead(entry);
    return this.revive(entry.id, input);
  }

  /**
   * Resolves when its end is on disk, or when its processes have ended and its last output takes long to hear.
   *
   * @param by The client or the session that ends it; null if orchd ends it, because its run is over.
   * @param isCancelled True if that client has cancelled the run of the session.
   */
  async kill(entry: SessionEntry, graceMs: number, by: string | null, isCancelled = false): Promise<void> {
    const how = by !== null && { ...this.#nameOf(by), ...(isCancelled && { isCancelled }) };
    if (by !== null) await entry.apply({ kind: 'ending', by, ...how, time: this.#ports.now() });
    const { position, escaped } = await this.#ports
      .host()
      .call('kill', { sessionId: entry.id, graceMs })
      .catch(async (error: unknown) => {
        if (by !== null && !entry.hasEnded) await entry.apply({ kind: 'ending', by: null, time: this.#ports.now() });
        throw error;
      });
    entry.isGone = escaped.every(({ pid }) => pid !== entry.aggregate.session.pid);
    this.#ports.brake.release(entry.id); // Otherwise a paused session's end would not be read.
    entry.reader?.grew(position);
    await this.#ports.catchingUp.hearEnd(entry);
    await this.#ports.outbox.drain();
  }

  /** Ends the processes that an ended session has left behind: in the background, or because its host died. */
  async endRest(entry: SessionEntry): Promise<void> {
    if (entry.view.imported === true) return; // It never had a program.
    await endStrays(this.#ports.paths, await this.#ports.whenHost(), entry);
  }

  /**
   * Ends a session whose processes have ended, without reading its remaining output, which is removed with the session.
   */
  async dropUnheard(entry: SessionEntry): Promise<void> {
    if (entry.isGone && !entry.hasEnded) await this.#following.drop(entry);
  }

  /** Returns the name of the session that ends another one; nothing if the client is not a session. */
  #nameOf(by: string): { readonly byName?: string } {
    const ender = [...this.#ports.registry.entries].find(({ id }) => id === by);
    return ender ? { byName: ender.aggregate.session.name } : {};
  }

  /** Records for every running session which client ended it. */
  async endingAll(by: string): Promise<void> {
    const living = [...this.#ports.registry.entries].filter((entry) => !entry.hasEnded);
    await Promise.all(living.map((entry) => entry.apply({ kind: 'ending', by, time: this.#ports.now() })));
  }

  async #startAgain(entry: SessionEntry, plan: RevivalPlan, input: RevivalInput): Promise<void> {
    const { paths, now } = this.#ports;
    const { id, aggregate, scrollbackLines } = entry;
    const { name, cwd, parent_session_id: parent, command } = aggregate.session;
    // Earlier versions allowed larger terminals.
    const size = input.size ? needFewCells(input.size) : fitCells(aggregate.session.size);
    const { adapter, argv, wish, key, how } = plan;
    const env: Record<string, string | undefined> = input.env ?? loginEnvironment();
    const file = findProgram(argv[0] ?? '', cwd, env['PATH']);
    const host = await this.#ports.whenHost();
    // Processes that were left by its first host must not run beside the new program.
    if (aggregate.session.state === 'lost') await endStrays(paths, host, entry);
    const time = now(); // The start time for the journal: no output can be older.
    this.#following.expect(id);
    try {
      const started = await startProgram(
        { paths, host, now },
        {
          sessionId: id,
          name,
          parent,
          adapter,
          file,
          command,
          argv,
          cwd,
          env,
          scrollbackLines,
          wish,
          key,
          umask: input.umask ?? DEFAULT_UMASK,
          size,
          how,
          batch: null,
        },
      );
      await admitAgain(entry, { ...started, time }, { how, argv }, size);
      await this.#follow(entry, cursorAt(entry), started.position, host);
      this.#ports.answers.resume(entry);
    } finally {
      this.#following.expectNothing(id);
    }
  }

  async #follow(
    entry: SessionEntry,
    cursor: StoredCursor | undefined,
    position: number,
    host: HostClient,
  ): Promise<void> {
    const reader = await this.#following.follow(entry, cursor);
    reader.grew(position);
    void this.#ports.transcripts.follow(entry);
    // The session started during the loss of its host and was not yet registered when the others were marked as lost.
    if (this.#isWith(host) || entry.hasEnded) return;
    if (outlivesHost(entry)) await endOrphans(this.#ports, await this.#ports.whenHost(), [entry]);
    await this.#following.lose(entry, reader, 'the host died');
  }

  /** Called when the host reports the length of a journal. */
  grew(sessionId: string, position: number): void {
    this.#following.grew(sessionId, position);
  }

  /** Recovers all sessions after a restart of the daemon. */
  recover(state: StoredState, hosted: readonly HostSession[], waitMs: number): Promise<void> {
    return recoverSessions(this.#ports, this.#following, { state, hosted, waitMs });
  }

  /** Returns the number of sessions that are not read up to their journal's end, and the number of missing bytes. */
  behind(): { sessions: number; bytes: number } {
    const each = [...this.#ports.registry.entries].map((entry) => entry.reader?.bytesBehind ?? 0);
    return { sessions: each.filter((bytes) => bytes > 0).length, bytes: each.reduce((sum, bytes) => sum + bytes, 0) };
  }

  /**
   * Called when the host died. All its sessions are lost, except those whose programs survive until the next host ends
   * them.
   */
  async hostDied(): Promise<void> {
    await this.#lose((entry) => !outlivesHost(entry));
  }

  /** Called when there is another host. The sessions that remain from the earlier one are then lost, too. */
  async orphaned(): Promise<void> {
    const isOrphan = (entry: SessionEntry): boolean => outlivesHost(entry) && entry.reader !== null;
    const host = this.#ports.host();
    await endOrphans(this.#ports, host, [...this.#ports.registry.entries].filter(isOrphan));
    if (this.#isWith(host)) await this.#lose(isOrphan); // otherwise the next host does it
  }

  async #lose(isMeant: (entry: SessionEntry) => boolean): Promise<void> {
    for (const entry of this.#ports.registry.entries) {
      if (!entry.hasEnded && entry.reader && isMeant(entry))
        await this.#following.lose(entry, entry.reader, 'the host died');
    }
  }

  /** Resolves when all announced output was read, and its events are on disk. */
  async caughtUp(): Promise<void> {
    await Promise.all([...this.#ports.registry.entries].map((entry) => entry.reader?.caughtUp()));
    await this.#ports.outbox.drain();
  }

  /** Stops following the sessions; their programs continue. */
  async close(): Promise<void> {
    this.#following.close();
    await Promise.all(
      [...this.#ports.registry.entries].map(async (entry) => {
        if (!entry.reader) return;
        entry.reader.close();
        await entry.keeper?.save();
      }),
    );
  }

  #isWith(host: HostClient): boolean {
    try {
      return this.#ports.host() === host;
    } catch {
      return false;
    }
  }
}

/** @throws {OrchdError} ORCHD_INVALID for options that only a terminal, or only pipes, can have. */
function batchOf({ mode, stdin, teach = false }: InputOf<'session.start'>): ProgramStart['batch'] {
  if (mode === 'batch') {
    if (teach === false) return { stdin };
    const message = 'a batch session is not taught: give the text of `orchd prompt` (with its --key) in its prompt';
    throw new OrchdError('ORCHD_NOT_TAUGHT', message);
  }
  if (stdin === undefined) return null;
  throw new OrchdError('ORCHD_INVALID', "`stdin` is for `mode` 'batch': a program in a terminal is typed to");
}

/** @param isLimited  True for a session that a session starts: it gets at most the configured number of lines. */
const linesAbove = (wanted: number | undefined, configured: number, isLimited: boolean): number =>
  isLimited ? Math.min(wanted ?? configured, configured) : (wanted ?? configured);
