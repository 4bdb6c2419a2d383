/**
 * Follows sessions: reads their journals for findings, screens and transcripts, until they have ended and are released.
 *
 * In:   a session, and the position of its hearing (`follow`); the growth of its journal (`grew`).
 * Out:  findings applied to its entry; the host is told what was read. Does not start or find sessions.
 */
import { join } from 'node:path';
import { type HostClient, type HostCommandName, type HostCommands, STANDING_TICK_CONTRACT } from '../../host/index.js';
import { timestamp } from '../../lifecycle/index.js';
import { OrchdError } from '../../protocol/index.js';
import type { ReadScheduler, SessionReader } from '../../session/index.js';
import { limitConcurrency } from '../concurrency/index.js';
import { keepHearing, tornTailEnd } from '../disk/index.js';
import { clearLaunch, isLaunched } from '../program/index.js';
import type { EntryPorts, Registry, SessionEntry } from '../registry/index.js';
import { type FollowedPorts, openReader, type StoredCursor } from './followed-session.js';

export interface FollowingPorts extends FollowedPorts {
  readonly registry: Registry;
  readonly host: () => HostClient;
  readonly entryPorts: EntryPorts;
  readonly now: () => number;
}

export class Following {
  readonly #ports: FollowingPorts;
  /** Bytes that the journals of sessions have grown by while the sessions are being opened, by id. */
  readonly #early = new Map<string, number>();
  /** Opens sessions one after the other, even if fifty are started together. */
  readonly #inTurn = limitConcurrency(1);
  #scheduler: ReadScheduler | null = null;
  #isClosing = false;

  constructor(ports: FollowingPorts) {
    this.#ports = ports;
  }

  /** Stops following. This daemon ignores output that it has not read. */
  close(): void {
    this.#isClosing = true;
  }

  /** Called when the host reports the length of a journal. */
  grew(sessionId: string, position: number): void {
    const entry = this.#ports.registry.get(sessionId);
    this.#ports.loads.grew(sessionId, position);
    this.#ports.brake.grew();
    if (entry?.reader) entry.reader.grew(position);
    else if (!entry?.hasEnded || this.#early.has(sessionId)) this.#early.set(sessionId, position);
  }

  /** Called before an ended session is started again, whose journal will grow. */
  expect(sessionId: string): void {
    this.#early.set(sessionId, 0);
  }

  /** Called if the session was not started after all. */
  expectNothing(sessionId: string): void {
    this.#early.delete(sessionId);
  }

  follow(entry: SessionEntry, cursor: StoredCursor | undefined): Promise<SessionReader> {
    return this.#inTurn(() => this.#follow(entry, cursor));
  }

  async #follow(entry: SessionEntry, cursor: StoredCursor | undefined): Promise<SessionReader> {
    this.#scheduler ??= new (await import('../../session/index.js')).ReadScheduler();
    const reader = await openReader(entry, cursor, {
      ...this.#ports,
      scheduler: this.#scheduler,
      ticksStay: (this.#host()?.welcome.contract ?? 0) >= STANDING_TICK_CONTRACT,
      tellHost: (name, input) => this.#tell(name, input),
      noteDamage: (from, to, detail) => void this.noteDamage(entry, from, to, detail),
      release: () => this.release(entry),
    });
    entry.reader = reader;
    const early = this.#early.get(entry.id);
    this.#early.delete(entry.id);
    if (early !== undefined) reader.grew(early);
    return reader;
  }

  lose(entry: SessionEntry, reader: SessionReader, reason: string): Promise<void> {
    this.#ports.brake.release(entry.id);
    entry.leaving = this.#lose(entry, reader, reason);
    return entry.leaving;
  }

  async #lose(entry: SessionEntry, reader: SessionReader, reason: string): Promise<void> {
    await reader.readToEnd();
    if (this.#isClosing) return; // The output was not read to its end. The next daemon does that.
    const { position } = reader;
    const end = tornTailEnd(this.#ports.paths.journalsDir, entry.id, position);
    if (end !== null) await this.noteDamage(entry, position, end, 'what was being written when its host ended');
    if (!entry.hasEnded) await entry.apply({ kind: 'lost', reason, time: this.#ports.now() });
    await this.release(entry);
  }

  /** Ends a session whose processes have ended. The rest of its output is not read, and its last screen is lost. */
  async drop(entry: SessionEntry): Promise<void> {
    const { reader, keeper } = entry;
    reader?.close();
    entry.reader = null;
    entry.hearing = null;
    entry.keeper = null;
    keeper?.dispose();
    await this.#ports.transcripts.drop(entry);
    await entry.apply({
      kind: 'lost',
      reason: 'it was removed before all of its output was heard',
      time: this.#ports.now(),
    });
    clearLaunch(this.#ports.paths, entry.id);
    await this.#forget(entry);
  }

  /**
   * Releases a session whose exit a previous daemon had read without releasing it. The agent's last transcript entries
   * may be missing in the journal.
   */
  async releaseLate(entry: SessionEntry, cursor: StoredCursor | undefined, position: number): Promise<void> {
    if (!isLaunched(this.#ports.paths, entry.id)) return this.#forget(entry);
    const reader = await this.follow(entry, cursor);
    reader.grew(position);
    await reader.caughtUp();
    await this.release(entry);
  }

  /** Releases a session that produces no more output. */
  async release(entry: SessionEntry): Promise<void> {
    const { transcripts, paths } = this.#ports;
    if (entry.aggregate.session.state === 'lost') await transcripts.drop(entry);
    else await transcripts.finish(entry);
    const { reader, hearing } = entry;
    await reader?.caughtUp();
    if (reader && hearing && entry.view.mode !== 'batch')
      keepHearing(join(paths.journalsDir, entry.id), hearing, reader.position);
    reader?.close();
    entry.reader = null;
    entry.hearing = null;
    clearLaunch(paths, entry.id);
    const { keeper } = entry;
    entry.keeper = null;
    await keeper?.saveSlowly();
    keeper?.dispose();
    if (entry.aggregate.session.state === 'lost') return; // The host of a lost session is gone.
    await this.#forget(entry);
  }

  /**
   * A previous daemon may have sent this request just before it died, so the host may have forgotten the session
   * already.
   */
  async #forget({ id }: SessionEntry): Promise<void> {
    await this.#ask('forget', { sessionId: id }).catch((error: unknown) => {
      const isForgotten = error instanceof OrchdError && error.code === 'ORCHD_SESSION_UNKNOWN';
      if (!isForgotten) this.#ports.log.error('the host did not forget a session', error, { session_id: id });
    });
  }

  /** Returns a rejected promise, instead of throwing, while there is no host. */
  async #ask<N extends HostCommandName>(name: N, input: HostCommands[N]['in']): Promise<HostCommands[N]['out']> {
    return this.#ports.host().call(name, input);
  }

  /** Records that a part of a journal is skipped. */
  noteDamage(entry: SessionEntry, from: number, to: number, detail: string): Promise<void> {
    const event = {
      event_type: 'journal_damaged',
      timestamp: timestamp(this.#ports.now()),
      session_id: entry.id,
      from,
      to,
      detail,
    };
    const { outbox, entryPorts } = this.#ports;
    return outbox.commit({ events: [event] }, (committed) => entryPorts.bus.publish([event], committed));
  }

  /** Does nothing while there is no host: its sessions are lost then. */
  #tell<N extends HostCommandName>(name: N, input: HostCommands[N]['in']): void {
    this.#host()?.tell(name, input);
  }

  #host(): HostClient | null {
    try {
      return this.#ports.host();
    } catch {
      return null;
    }
  }
}
