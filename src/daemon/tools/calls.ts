/**
 * Calls: each tool call becomes one note in the session's journal, even if it is repeated or made by several clients.
 *
 * In:   a call with its id (`tell`); the outcome that the ears report for it (`finished`).
 * Out:  the outcome, once it is on disk.
 *
 * A call that is repeated after a restart of the daemon is recognized by the ears, which report the outcome `known`
 * (ears/identity/merging.ts; protocol/identity.md).
 */
import { contentKey } from '../../ears/index.js';
import type { HostClient } from '../../host/index.js';
import type { CallOutcome } from '../../lifecycle/index.js';
import { type Message, OrchdError } from '../../protocol/index.js';
import { type CallNote, TOOL_NOTE } from '../../session/index.js';
import type { SessionEntry } from '../registry/index.js';

interface OpenCall {
  readonly entry: SessionEntry;
  readonly content: string;
  readonly outcome: Promise<CallOutcome>;
  resolve(outcome: CallOutcome): void;
  reject(error: OrchdError): void;
}

/** Maximum number for all sessions together. Older calls are found in the state of the journal's reader (`hearing`). */
const MAX_REMEMBERED = 4096;

export class Calls {
  readonly #host: () => HostClient;
  readonly #open = new Map<string, OpenCall>();
  readonly #made = new Map<string, { readonly content: string; readonly outcome: CallOutcome }>();

  constructor(host: () => HostClient) {
    this.#host = host;
  }

  /**
   * @throws {OrchdError} ORCHD_CALL_REUSED, ORCHD_SESSION_ENDED; the host's error, after which the call must be
   *   repeated because its outcome is unknown.
   */
  async tell(entry: SessionEntry, note: CallNote): Promise<CallOutcome> {
    const key = keyOf(entry, note.callId);
    const content = contentKey(note.message as Message); // validated by its tool's schema
    const earlier = this.#made.get(key) ?? this.#open.get(key);
    if (earlier) {
      if (earlier.content !== content) throw reused(note.callId);
      return earlier.outcome;
    }
    const call = this.#begin(entry, key, content);
    try {
      const { position } = await this.#host().call('note', { sessionId: entry.id, name: TOOL_NOTE, data: note });
      entry.reader?.grew(position);
    } catch (error) {
      this.#open.delete(key);
      call.reject(error instanceof OrchdError ? error : new OrchdError('ORCHD_INTERNAL', String(error)));
    }
    const outcome = await call.outcome;
    if (outcome === 'reused') throw reused(note.callId);
    return outcome;
  }

  /** Called when the ears have read the note, and the outcome of the call is on disk. */
  finished(entry: SessionEntry, callId: string, outcome: CallOutcome): void {
    const key = keyOf(entry, callId);
    const call = this.#open.get(key);
    if (!call) return; // made under a previous daemon
    this.#open.delete(key);
    if (outcome !== 'reused') this.#remember(key, call.content, outcome);
    call.resolve(outcome);
  }

  /** Called when the session has ended: open calls get no outcome. */
  end(entry: SessionEntry): void {
    for (const [key, call] of this.#open) {
      if (call.entry !== entry) continue;
      this.#open.delete(key);
      call.reject(new OrchdError('ORCHD_SESSION_ENDED', `session '${entry.view.name}' has ended`));
    }
  }

  #begin(entry: SessionEntry, key: string, content: string): OpenCall {
    let resolve: OpenCall['resolve'] = () => {};
    let reject: OpenCall['reject'] = () => {};
    const outcome = new Promise<CallOutcome>((yes, no) => {
      [resolve, reject] = [yes, no];
    });
    outcome.catch(() => {}); // every caller handles its own promise
    const call = { entry, content, outcome, resolve, reject };
    this.#open.set(key, call);
    return call;
  }

  #remember(key: string, content: string, outcome: CallOutcome): void {
    this.#made.set(key, { content, outcome });
    const oldest = this.#made.keys().next().value;
    if (this.#made.size > MAX_REMEMBERED && oldest !== undefined) this.#made.delete(oldest);
  }
}

const keyOf = (entry: SessionEntry, callId: string): string => `${entry.id} ${callId}`;

export const reused = (callId: string): OrchdError =>
  new OrchdError('ORCHD_CALL_REUSED', `the call_id '${callId}' belongs to another call of this session`);
