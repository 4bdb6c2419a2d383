/**
 * Sessions: starting them, recovering them after a restart of the daemon, reviving them, and losing them with their
 * host.
 *
 * The file is long because a recovery completes what a start or a revival left half done, by the same private steps.
 */
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { type HostClient, type HostSession, PASSED_OVER } from '../../host/index.js';
import { timestamp } from '../../lifecycle/index.js';
import {
  asId,
  DEFAULT_UMASK,
  fitCells,
  type InputOf,
  makeId,
  needFewCells,
  newSession,
  OrchdError,
  type OutputOf,
  type Session,
  type SessionId,
} from '../../protocol/index.js';
import type { StoredState } from '../../store/index.js';
import type { Answers } from '../answers/index.js';
import { needRoom } from '../events/index.js';
import { projectOf } from '../git/index.js';
import { passOverDue } from '../guard/index.js';
import {
  agentDir,
  findProgram,
  loginEnvironment,
  type ProgramStart,
  type ProgramStarted,
  pickAdapter,
  startProgram,
  writeFiles,
} from '../program/index.js';
import {
  newRecord,
  type Registry,
  readBeginning,
  SessionEntry,
  type SessionNote,
  type SessionRecord,
} from '../registry/index.js';
import type { ToolMessages } from '../tools/index.js';
import type { CatchingUp } from './catching-up.js';
import type { Cursor } from './followed-session.js';
import { Following, type FollowingPorts } from './following.js';
import { endOrphans, endStrays, outlivesHost, STRAY_GRACE_MS } from './orphans.js';
import { planRevival, type RevivalPlan, revivalOf } from './revive.js';

interface SessionsPorts extends FollowingPorts {
  /** Resolves when there is a host again after one has died. */
  readonly whenHost: () => Promise<HostClient>;
  readonly answers: Answers;
  readonly catchingUp: CatchingUp;
  /** The tool calls, which continue for each session once its journal is read. */
  readonly messages: Pick<ToolMessages, 'resume'>;
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
    const { registry, paths, defaults } = this.#ports;
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
      const id = given.id ?? this.newId();
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
      const time = Date.now(); // The start time for the journal: no output can be older.
      const { note, pid, position } = await startProgram(paths, () => host, {
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
      });
      const entry = await this.#admit({ id, note, command, cwd, pid, size, time });
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
   * @param by The client or the session that ends it; null if its run is over.
   */
  async kill(entry: SessionEntry, graceMs: number, by: string | null): Promise<void> {
    if (by !== null) await entry.apply({ kind: 'ending', by, ...this.#nameOf(by), time: Date.now() });
    const { position, escaped } = await this.#ports
      .host()
      .call('kill', { sessionId: entry.id, graceMs })
      .catch(async (error: unknown) => {
        if (by !== null && !entry.hasEnded) await entry.apply({ kind: 'ending', by: null, time: Date.now() });
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
    await Promise.all(living.map((entry) => entry.apply({ kind: 'ending', by, time: Date.now() })));
  }

  async #startAgain(entry: SessionEntry, plan: RevivalPlan, input: RevivalInput): Promise<void> {
    const { paths } = this.#ports;
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
    const time = Date.now(); // The start time for the journal: no output can be older.
    this.#following.expect(id);
    try {
      const started = await startProgram(paths, () => host, {
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
      });
      await this.#goOn(entry, { ...started, time }, { how, argv }, size);
      await this.#follow(entry, cursorAt(entry), started.position, host);
      this.#ports.answers.resume(entry);
    } finally {
      this.#following.expectNothing(id);
    }
  }

  /** Stores a start that is not the session's first. */
  #goOn(entry: SessionEntry, started: Started, plan: Pick<RevivalPlan, 'how' | 'argv'>, size: Session['size']) {
    const { note, pid, from, time } = started;
    const known = entry.aggregate.session.agent_session_id;
    return entry.revive(
      { position: from, time },
      note.tokenHash,
      revivalOf({ ...plan, known }, note, { pid, size, from }),
    );
  }

  async #follow(entry: SessionEntry, cursor: Cursor | undefined, position: number, host: HostClient): Promise<void> {
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

  /**
   * Recovers all sessions: living ones, those that ended while no daemon ran, those that the log does not know yet, and
   * lost ones.
   * @param waitMs  How long to wait until all journals are read. The remaining ones are read in the background.
   */
  async recover(state: StoredState, hosted: readonly HostSession[], waitMs: number): Promise<void> {
    const { registry, entryPorts, log } = this.#ports;
    const cursors = new Map(state.cursors.map((cursor) => [cursor.sessionId, cursor]));
    // The store returns rows as orchd wrote them.
    for (const { value } of state.sessions) {
      const entry = new SessionEntry(value as SessionRecord, entryPorts);
      registry.add(entry);
      const { id: sessionId, view } = entry;
      // The stored state has no cursor for a session whose cursor was damaged.
      if (!cursors.has(sessionId))
        cursors.set(sessionId, { sessionId, position: view.journal_position, checkpoint: null });
    }
    for (const { value } of state.items) {
      const item = value as Parameters<Registry['setItem']>[0]; // only orchd writes rows
      registry.setItem(item, registry.session(item.session_id));
    }
    const holds = new Map(hosted.map((session) => [session.sessionId, session]));
    await passOverDue(this.#ports, hosted, (id, { from, to }) => {
      const entry = registry.get(id);
      // Ranges before the cursor are announced here; later ones are announced when reading reaches them.
      const isRead = to <= (cursors.get(id)?.position ?? 0);
      if (entry && isRead) void this.#following.noteDamage(entry, from, to, PASSED_OVER);
    });
    const hearing = new Map<SessionEntry, Promise<void>>();
    const orphans = [...registry.entries].filter((entry) => outlivesHost(entry) && !holds.has(entry.id));
    await endOrphans(this.#ports, this.#ports.host(), orphans);
    for (const entry of [...registry.entries]) {
      if (entry.hasEnded) continue;
      const known = holds.get(entry.id);
      try {
        const reader = await this.#following.follow(entry, cursors.get(entry.id));
        entry.isGone = known?.exited ?? true;
        if (known) reader.grew(known.position);
        else hearing.set(entry, this.#following.lose(entry, reader, 'the host that held it is gone'));
      } catch (error) {
        // An error in one session must not prevent the recovery of the others.
        log.error('a session cannot be followed', error, { session_id: entry.id });
      }
    }
    for (const session of hosted) {
      const entry = registry.get(session.sessionId);
      if (!entry) await this.#adopt(session);
      else if (entry.hasEnded) await this.#revivedOrLeft(entry, session, cursors.get(entry.id));
    }
    for (const entry of registry.entries) {
      if (entry.reader && !hearing.has(entry)) hearing.set(entry, entry.reader.caughtUp());
    }
    const { answers, messages, transcripts, catchingUp, guard } = this.#ports;
    guard.started(new Set([...hearing.keys()].map(({ id }) => id)));
    for (const [entry, read] of hearing) void read.finally(() => guard.finished(entry.id)).catch(() => {});
    // If the disk is full, the rest is read when there is space. Until then, clients get an error.
    await catchingUp.hear(hearing, waitMs, this.#ports.outbox.whenFull(), (entry) => {
      answers.resume(entry);
      messages.resume(entry);
      if (entry.reader && !entry.hasEnded) void transcripts.follow(entry);
    });
    log.info('recovered', {
      sessions: state.sessions.length,
      living: hosted.length,
      behind: catchingUp.behind.sessions,
    });
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

  /** Returns an id for a session that is about to be started. */
  newId(): SessionId {
    for (;;) {
      const id = makeId('session', randomBytes(10));
      if (!this.#ports.registry.get(id)) return id;
    }
  }

  /** Stores a running session. */
  async #admit(about: Admission): Promise<SessionEntry> {
    const { id, note, command, cwd, pid, size, time } = about;
    const project = projectOf(cwd);
    const session: Session = {
      ...newSession({
        id,
        cwd,
        pid,
        size,
        name: note.name,
        adapter: note.adapter,
        command: [...(note.command ?? command)],
        key_required: note.keyRequired,
        parent_session_id: note.parent,
        created_at: timestamp(time),
        mode: note.mode ?? 'pty',
      }),
      ...(note.agent && { agent_session_id: note.agent.sessionId, transcript: 'waiting' }),
      ...(note.runId !== undefined && { run_id: note.runId }),
      ...(project !== null && { project }),
      ...(note.tags && { tags: [...note.tags] }),
    };
    const { registry, entryPorts } = this.#ports;
    const entry = new SessionEntry(newRecord(session, note.tokenHash, note.scrollbackLines), entryPorts);
    registry.add(entry);
    const { name, adapter, mode, key_required, parent_session_id, command: given } = session;
    await entry.announce(
      {
        event_type: 'session_started',
        timestamp: session.created_at,
        session_id: id,
        name,
        adapter,
        mode,
        command: given,
        cwd,
        pid,
        size,
        key_required,
        parent_session_id,
        ...(project !== null && { project }),
        ...(session.tags && { tags: session.tags }),
      },
      { sessionId: id, position: 0, checkpoint: null },
    );
    return entry;
  }

  /** Adopts a session that a previous daemon started but did not store before it died. */
  async #adopt({ sessionId, position }: HostSession): Promise<void> {
    const beginning = readBeginning(this.#ports.paths.journalsDir, sessionId);
    if (!beginning) {
      this.#ports.log.error('a session of the host has no beginning in its journal; it is ended', undefined, {
        session_id: sessionId,
      });
      await this.#ports.host().call('kill', { sessionId, graceMs: STRAY_GRACE_MS });
      return;
    }
    const { note, start } = beginning;
    const { command, cwd, pid, cols, rows, time } = start;
    const id = asId('session', sessionId);
    const entry = await this.#admit({ id, note, command, cwd, pid, size: { cols, rows }, time });
    (await this.#following.follow(entry, undefined)).grew(position);
  }

  /**
   * Handles a session that the host still has although the log says that it ended. A previous daemon may have revived
   * it and died before storing that.
   */
  async #revivedOrLeft(entry: SessionEntry, { position }: HostSession, cursor: Cursor | undefined): Promise<void> {
    const again = readBeginning(this.#ports.paths.journalsDir, entry.id, cursor?.position);
    if (!again?.note.how || again.start.position <= entry.start.position) {
      return this.#following.releaseLate(entry, cursor, position);
    }
    const { note, start } = again;
    const { pid, cols, rows, time, position: from, command } = start;
    await this.#goOn(
      entry,
      { note, pid, from, time },
      { how: again.note.how, argv: note.agent?.argv ?? command },
      { cols, rows },
    );
    (await this.#following.follow(entry, cursorAt(entry))).grew(position);
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

type Started = Pick<ProgramStarted, 'note' | 'pid' | 'from'> & { readonly time: number };

/** Returns the cursor at its newest start. */
const cursorAt = ({ id, start }: SessionEntry): Cursor => ({
  sessionId: id,
  position: start.position,
  checkpoint: null,
});

interface Admission {
  readonly id: Session['id'];
  readonly note: SessionNote;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly pid: number;
  readonly size: { cols: number; rows: number };
  readonly time: number;
}

/** @param isLimited  True for a session that a session starts: it gets at most the configured number of lines. */
const linesAbove = (wanted: number | undefined, configured: number, isLimited: boolean): number =>
  isLimited ? Math.min(wanted ?? configured, configured) : (wanted ?? configured);
