/**
 * Sessions: started, followed along their journals, found again after a restart, and let go when they have ended.
 */
import { createHash, randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import type { Finding } from '../ears/index.js';
import {
  type HostClient,
  type HostCommandName,
  type HostCommands,
  type HostSession,
  type JournalRecord,
  openJournal,
} from '../host/index.js';
import { timestamp } from '../lifecycle/index.js';
import {
  asId,
  type InputOf,
  makeId,
  newSession,
  OrchdError,
  type Paths,
  promptText,
  type Session,
} from '../protocol/index.js';
import type { Runner } from '../session/index.js';
import type { StoredState } from '../store/index.js';
import type { Answers } from './answers.js';
import { LargeCheckpoints, openHearing, smallCheckpoint } from './checkpoints.js';
import { clearLaunch, isLaunched, pickAdapter, prepareLaunch, readBeginning, type SessionNote } from './launch.js';
import type { Log } from './log.js';
import type { Outbox } from './outbox.js';
import { findProgram, loginEnvironment, programEnvironment } from './program.js';
import type { Registry } from './registry.js';
import { openScreen } from './screens.js';
import { type EntryPorts, newRecord, SessionEntry, type SessionRecord } from './session-entry.js';
import { tornTailEnd } from './torn-tail.js';
import type { Transcripts } from './transcripts/index.js';

export interface SessionsPorts {
  readonly paths: Paths;
  readonly registry: Registry;
  readonly outbox: Outbox;
  readonly host: () => HostClient;
  readonly log: Log;
  readonly entryPorts: EntryPorts;
  readonly answers: Answers;
  readonly transcripts: Transcripts;
  readonly defaults: { readonly size: { cols: number; rows: number }; readonly scrollbackLines: number };
  /** Every record of every session, as it is heard; for terminals that watch. */
  readonly onRecord: (entry: SessionEntry, record: JournalRecord) => void;
}

type Cursor = StoredState['cursors'][number];
/** The cursor moves at least this often, so that a restart never hears more than this again. */
const CURSOR_BYTES = 1024 * 1024;
/** The host reads at most so much ahead; telling it more often than this costs more than it gives. */
const TAKEN_STEP_BYTES = 64 * 1024;
const KEY_BYTES = 6;

export class Sessions {
  readonly #ports: SessionsPorts;
  /** Growth of sessions that are only just being opened. */
  readonly #early = new Map<string, number>();

  constructor(ports: SessionsPorts) {
    this.#ports = ports;
  }

  /** @param parent  The session that asks, if one does. */
  async start(input: InputOf<'session.start'>, parent: SessionEntry | null): Promise<Session> {
    const { registry, outbox, paths, defaults } = this.#ports;
    if (outbox.isFull) throw new OrchdError('ORCHD_STORE_FULL', 'the disk is full: no session can be started');
    const [program = ''] = input.command;
    const login = loginEnvironment();
    const env: Record<string, string | undefined> = input.env ?? login;
    const cwd = input.cwd ?? login.HOME;
    const file = findProgram(program, cwd, env['PATH']);
    const adapter = await pickAdapter(input.adapter, program);
    const name = registry.freeName(input.name, basename(program));
    const release = registry.reserve(name);
    try {
      const id = this.#newId();
      const token = randomBytes(24).toString('hex');
      const size = input.size ?? defaults.size;
      const isTaught = input.teach !== undefined && input.teach !== false;
      const key = input.key ?? (isTaught ? randomBytes(KEY_BYTES).toString('hex') : undefined);
      const teach = isTaught ? (typeof input.teach === 'string' ? input.teach : promptText(key)) : null;
      const {
        argv,
        env: whole,
        agent,
      } = await prepareLaunch({
        paths,
        id,
        adapter,
        isNamed: input.adapter !== undefined,
        file,
        argv: input.command,
        env,
        cwd,
        teach,
      });
      const note: SessionNote = {
        name,
        adapter: adapter.name,
        parent: parent?.id ?? null,
        tokenHash: hashToken(token),
        scrollbackLines: input.scrollback ?? defaults.scrollbackLines,
        keyRequired: key !== undefined,
        command: input.command,
        agent,
      };
      const notes = [{ name: 'session', data: note }, ...(key === undefined ? [] : [{ name: 'key', data: { key } }])];
      const identity = { socket: paths.socket, sessionId: id, token, key };
      const host = this.#ports.host();
      const spawning = host.call('spawn', {
        sessionId: id,
        file,
        argv,
        cwd,
        env: programEnvironment(whole, identity),
        umask: input.umask ?? 0o022,
        ...size,
        notes,
      });
      const { pid, position } = await spawning.catch((error: unknown) => {
        clearLaunch(paths, id);
        throw error;
      });
      const entry = await this.#admit({ id, note, command: input.command, cwd, pid, size, time: Date.now() });
      release();
      const runner = await this.#follow(entry, undefined);
      runner.grew(position);
      void this.#ports.transcripts.follow(entry);
      // Until now it was not among those that are lost with their host.
      if (!this.#isWith(host) && !entry.hasEnded) await this.#lose(entry, runner, 'the host died');
      return entry.view;
    } finally {
      release();
    }
  }

  /** The host says how far a journal reaches. */
  grew(sessionId: string, position: number): void {
    const entry = this.#ports.registry.get(sessionId);
    if (entry?.runner) entry.runner.grew(position);
    else if (!entry?.hasEnded) this.#early.set(sessionId, position);
  }

  /** Finds everything again: sessions that live, that ended meanwhile, that the log does not know yet, that are lost. */
  async recover(state: StoredState, hosted: readonly HostSession[]): Promise<void> {
    const { registry, entryPorts, log } = this.#ports;
    const cursors = new Map(state.cursors.map((cursor) => [cursor.sessionId, cursor]));
    for (const { value } of state.sessions) registry.add(new SessionEntry(value as SessionRecord, entryPorts)); // our own rows
    for (const { value } of state.items) {
      const item = value as Parameters<Registry['setItem']>[0]; // our own rows
      registry.setItem(item, registry.session(item.session_id));
    }
    const holds = new Map(hosted.map((session) => [session.sessionId, session]));
    for (const entry of [...registry.entries]) {
      if (entry.hasEnded) continue;
      const known = holds.get(entry.id);
      try {
        const runner = await this.#follow(entry, cursors.get(entry.id));
        if (known) runner.grew(known.position);
        else await this.#lose(entry, runner, 'the host that held it is gone');
      } catch (error) {
        // One session must not keep the others from being found.
        log.error('a session cannot be followed', error, { session_id: entry.id });
      }
    }
    for (const session of hosted) {
      const entry = registry.get(session.sessionId);
      if (!entry) await this.#adopt(session);
      else if (entry.hasEnded) await this.#letGoLate(entry, cursors.get(entry.id), session.position);
    }
    await Promise.all([...registry.entries].map((entry) => entry.runner?.caughtUp()));
    for (const entry of registry.entries) {
      this.#ports.answers.resume(entry);
      if (entry.runner && !entry.hasEnded) void this.#ports.transcripts.follow(entry);
    }
    log.info('recovered', { sessions: state.sessions.length, living: hosted.length });
  }

  /** The host died: every session with it. */
  async hostDied(): Promise<void> {
    for (const entry of this.#ports.registry.entries) {
      if (!entry.hasEnded && entry.runner) await this.#lose(entry, entry.runner, 'the host died');
    }
  }

  /** Resolves when everything that the host has announced is heard, and on disk. */
  async caughtUp(): Promise<void> {
    await Promise.all([...this.#ports.registry.entries].map((entry) => entry.runner?.caughtUp()));
    await this.#ports.outbox.drain();
  }

  /** The daemon stops; the programs live on. */
  async close(): Promise<void> {
    await Promise.all(
      [...this.#ports.registry.entries].map(async (entry) => {
        if (!entry.runner) return;
        entry.runner.close();
        await entry.keeper?.save();
      }),
    );
  }

  #newId(): Session['id'] {
    for (;;) {
      const id = makeId('session', randomBytes(10));
      if (!this.#ports.registry.get(id)) return id;
    }
  }

  /** Puts a session that runs into the log. */
  async #admit(about: Admission): Promise<SessionEntry> {
    const { id, note, command, cwd, pid, size, time } = about;
    const session: Session = {
      ...newSession({
        ...{ id, cwd, pid, size, name: note.name, adapter: note.adapter, command: [...(note.command ?? command)] },
        ...{ key_required: note.keyRequired, parent_session_id: note.parent, created_at: timestamp(time) },
      }),
      ...(note.agent && { agent_session_id: note.agent.sessionId, transcript: 'waiting' }),
    };
    const { registry, entryPorts } = this.#ports;
    const entry = new SessionEntry(newRecord(session, note.tokenHash, note.scrollbackLines), entryPorts);
    registry.add(entry);
    const { name, adapter, key_required, parent_session_id, command: given } = session;
    await entry.announce(
      {
        event_type: 'session_started',
        timestamp: session.created_at,
        session_id: id,
        ...{ name, adapter, command: given, cwd, pid, size, key_required, parent_session_id },
      },
      { sessionId: id, position: 0, checkpoint: null },
    );
    return entry;
  }

  /** A daemon before us started it and died before it could write that down. */
  async #adopt({ sessionId, position }: HostSession): Promise<void> {
    const beginning = readBeginning(this.#ports.paths.journalsDir, sessionId);
    if (!beginning) {
      this.#ports.log.error('a session of the host has no beginning in its journal; it is ended', undefined, {
        session_id: sessionId,
      });
      await this.#ask('kill', { sessionId, graceMs: 1000 });
      return;
    }
    const { note, start } = beginning;
    const { command, cwd, pid, cols, rows, time } = start;
    const id = asId('session', sessionId);
    const entry = await this.#admit({ id, note, command, cwd, pid, size: { cols, rows }, time });
    (await this.#follow(entry, undefined)).grew(position);
  }

  async #follow(entry: SessionEntry, cursor: Cursor | undefined): Promise<Runner> {
    const { paths, outbox, log } = this.#ports;
    const { createRunner } = await import('../session/index.js');
    const dir = join(paths.journalsDir, entry.id);
    const opened = await openHearing(dir, cursor, log);
    const { hearing, hearFrom } = opened;
    const large = new LargeCheckpoints(dir, opened);
    const tell = (call: Promise<unknown>) => void call.catch((error: unknown) => this.#hostFailed(entry, error));
    const keeper = await openScreen(paths, entry, (query, text) =>
      tell(this.#ask('reply', { sessionId: entry.id, query, text })),
    );
    entry.keeper = keeper;
    entry.hearing = hearing;
    const known = cursor?.position ?? 0;
    let written = known;
    let told = 0;
    const runner = createRunner({
      reader: openJournal(paths.journalsDir, entry.id, { from: Math.min(hearFrom, keeper.position) }),
      hearing,
      keeper,
      hearFrom,
      cursor: known,
      whenRoomy: () => outbox.whenRoomy(),
      onRecord: (record) => {
        if (record.kind === 'resize' && record.position >= known) {
          void entry.apply({ kind: 'resized', cols: record.cols, rows: record.rows });
        }
        if (record.kind === 'out') this.#ports.transcripts.nudge(entry);
        this.#ports.onRecord(entry, record);
      },
      onFindings: (findings, position) => {
        setImmediate(() => entry.heard()); // when they are decided
        const keep = large.make(position);
        if (findings.length === 0 && position - written < CURSOR_BYTES && !keep) return;
        written = position;
        const checkpoint = smallCheckpoint(hearing, position);
        const done = entry.applyFindings(findings, { sessionId: entry.id, position, ...checkpoint });
        if (keep) void done.then(keep);
        if (findings.some(hasEnded)) void done.then(() => large.remove()).then(() => this.#letGo(entry));
      },
      onDamage: (from, to, detail) => void this.#noteDamage(entry, from, to, detail),
      onTaken: (position) => {
        if (position - told < TAKEN_STEP_BYTES) return;
        told = position;
        tell(this.#ask('taken', { sessionId: entry.id, position }));
      },
      askTick: (since, quietMs) => tell(this.#ask('tick', { sessionId: entry.id, since, quietMs })),
      onError: (error) => log.error('a session cannot be followed any more', error, { session_id: entry.id }),
    });
    entry.runner = runner;
    const early = this.#early.get(entry.id);
    this.#early.delete(entry.id);
    if (early !== undefined) runner.grew(early);
    return runner;
  }

  async #lose(entry: SessionEntry, runner: Runner, reason: string): Promise<void> {
    await runner.readToEnd();
    const { position } = runner;
    const end = tornTailEnd(this.#ports.paths.journalsDir, entry.id, position);
    if (end !== null) await this.#noteDamage(entry, position, end, 'what was being written when its host ended');
    if (!entry.hasEnded) await entry.apply({ kind: 'lost', reason, time: Date.now() });
    await this.#letGo(entry);
  }

  /** A daemon before us heard the end, and died before it let go: what its agent wrote last may not be in the journal. */
  async #letGoLate(entry: SessionEntry, cursor: Cursor | undefined, position: number): Promise<void> {
    if (!isLaunched(this.#ports.paths, entry.id)) return void (await this.#ask('forget', { sessionId: entry.id }));
    const runner = await this.#follow(entry, cursor);
    runner.grew(position);
    await runner.caughtUp();
    await this.#letGo(entry);
  }

  /** Nothing more comes from it. */
  async #letGo(entry: SessionEntry): Promise<void> {
    const { transcripts, paths } = this.#ports;
    if (entry.book.session.state === 'lost') await transcripts.drop(entry);
    else await transcripts.finish(entry);
    await entry.runner?.caughtUp();
    entry.runner?.close();
    entry.runner = null;
    entry.hearing = null;
    clearLaunch(paths, entry.id);
    const { keeper } = entry;
    entry.keeper = null;
    await keeper?.save();
    keeper?.dispose();
    if (entry.book.session.state === 'lost') return; // its host is gone
    await this.#ask('forget', { sessionId: entry.id }).catch((error: unknown) =>
      this.#ports.log.error('the host did not forget a session', error, { session_id: entry.id }),
    );
  }

  /** Fails, rather than throws at once, while there is no host. */
  async #ask<N extends HostCommandName>(name: N, input: HostCommands[N]['in']): Promise<HostCommands[N]['out']> {
    return this.#ports.host().call(name, input);
  }

  #isWith(host: HostClient): boolean {
    try {
      return this.#ports.host() === host;
    } catch {
      return false;
    }
  }

  #noteDamage(entry: SessionEntry, from: number, to: number, detail: string): Promise<void> {
    const event = {
      event_type: 'journal_damaged',
      timestamp: timestamp(Date.now()),
      session_id: entry.id,
      from,
      to,
      detail,
    };
    const { outbox, entryPorts } = this.#ports;
    return outbox.commit({ events: [event] }, (committed) => entryPorts.hub.publish([event], committed));
  }

  #hostFailed(entry: SessionEntry, error: unknown): void {
    if (!entry.hasEnded) this.#ports.log.error('the host refused', error, { session_id: entry.id });
  }
}

interface Admission {
  readonly id: Session['id'];
  readonly note: SessionNote;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly pid: number;
  readonly size: { cols: number; rows: number };
  readonly time: number;
}

const hasEnded = (finding: Finding): boolean => finding.kind === 'exited';

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
