/**
 * Tools that send a message: the call's message is handled like a printed one, and its answer is the call's result.
 *
 * In:   a call (`call`); changes of items (`onItem`).
 * Out:  the message; its answer, as the call's result, for a waiting caller.
 *
 *     no caller waits for `graceMs`   the answer is typed into an agent, as for a printed message; for any other
 *                                     program it
 *                                     is `stalled` until a call waits again
 *
 * The delivery is in the journal before it happens: `given` before the reply, `taken` after it; protocol/answers.md.
 */
import { contentKey } from '../../ears/index.js';
import type { HostClient } from '../../host/index.js';
import { type Effect, isDeliveryPending, reminderOf } from '../../lifecycle/index.js';
import { type Item, type Message, OrchdError, type OutputOf, type TaskTool } from '../../protocol/index.js';
import type { GivenNote } from '../../session/index.js';
import { type MessageTool, willWait } from '../../tools/index.js';
import { type Typist, typedAnswer } from '../answers/index.js';
import { withDeadline } from '../concurrency/index.js';
import { needRoom, type Outbox } from '../events/index.js';
import type { Log } from '../log.js';
import type { Registry, SessionEntry } from '../registry/index.js';
import { Calls, reused } from './calls.js';
import { Waiters } from './waiters.js';

export interface ToolMessagesPorts {
  readonly registry: Registry;
  readonly outbox: Outbox;
  readonly host: () => HostClient;
  readonly typist: Typist;
  readonly log: Log;
  readonly now: () => number;
  /** As `AnswerPorts.namesQuestions`. */
  readonly namesQuestions: boolean;
  readonly graceMs: number;
  readonly runs: {
    /** Returns the tool that a session's agent must call before it ends; null for none. */
    dueIn(sessionId: string): TaskTool | null;
  };
}

export interface CallRequest {
  readonly tool: string;
  readonly input: unknown;
  readonly wait: boolean | undefined;
  readonly callId: string | undefined;
  readonly timeoutMs: number | undefined;
}

export interface ToolCaller {
  readonly signal: AbortSignal;
  readonly afterReply: (then: () => void) => void;
}

export type ToolResult = OutputOf<'session.tool'>;

/** Turns tool calls into messages, and returns the answers to the calls that wait. */
export class ToolMessages {
  readonly #ports: ToolMessagesPorts;
  readonly #calls: Calls;
  readonly #waiters: Waiters;

  constructor(ports: ToolMessagesPorts) {
    this.#ports = ports;
    this.#calls = new Calls(ports.host);
    this.#waiters = new Waiters(ports.graceMs, (itemId) => this.#abandon(itemId));
  }

  /**
   * Sends the message of a tool call whose input was already validated.
   *
   * @throws {OrchdError} ORCHD_CALL_REUSED, ORCHD_SESSION_ENDED. For a waiting call also ORCHD_ITEM_WITHDRAWN and
   *   ORCHD_TIMEOUT: the item stays open, and the call may be repeated.
   */
  async call(
    entry: SessionEntry,
    tool: MessageTool,
    request: CallRequest & { readonly callId: string },
    caller: ToolCaller,
  ): Promise<ToolResult> {
    const { callId } = request;
    const waits = willWait(tool, request.wait);
    const known = this.#itemOfCall(entry, callId);
    const { item, result } = known ? { item: known } : await this.#tell(entry, tool, { ...request, waits });
    if (!item) return result;
    if (contentKey(item as Pick<Message, 'type' | 'data'> as Message) !== contentKey(messageOf(tool, request.input))) {
      throw reused(callId);
    }
    return waits ? this.#wait(entry, item, callId, request.timeoutMs, caller) : resultOf(item, callId);
  }

  /** @returns The item that the call opened, or the whole result of a tool that opens none. */
  async #tell(
    entry: SessionEntry,
    tool: MessageTool,
    { callId, waits, input }: CallRequest & { readonly callId: string; readonly waits: boolean },
  ): Promise<
    { readonly item: Item; readonly result?: never } | { readonly item?: never; readonly result: ToolResult }
  > {
    if (entry.hasEnded) throw new OrchdError('ORCHD_SESSION_ENDED', `session '${entry.view.name}' has ended`);
    needRoom(this.#ports.outbox, 'no call can be kept');
    const message = messageOf(tool, input);
    const outcome = await this.#calls.tell(entry, { tool: tool.name, callId, waits, message });
    const about = typeof outcome === 'string' ? {} : { message_id: outcome.messageId };
    if (tool.waits === null) {
      const owed = tool.message === 'TASK_COMPLETE' ? this.#ports.runs.dueIn(entry.id) : null;
      return { result: { ok: true, call_id: callId, ...about, ...(owed && { reminder: reminderOf(owed) }) } };
    }
    const item = this.#itemOfCall(entry, callId, about.message_id);
    if (item) return { item };
    throw new OrchdError('ORCHD_ITEM_WITHDRAWN', `what the call '${callId}' asked is not kept any more`);
  }

  async #wait(
    entry: SessionEntry,
    { id }: Item,
    callId: string,
    timeoutMs: number | undefined,
    caller: ToolCaller,
  ): Promise<ToolResult> {
    const signal = timeoutMs === undefined ? caller.signal : withDeadline(caller.signal, timeoutMs);
    const leave = this.addWaiter(entry, id);
    try {
      for (;;) {
        const { item } = this.#ports.registry.item(id);
        if (item.state === 'answered') {
          await this.give(entry, item, callId, caller);
          return resultOf(item, callId);
        }
        const about = { call_id: callId, item_id: id };
        if (item.state === 'withdrawn') {
          throw new OrchdError('ORCHD_ITEM_WITHDRAWN', `item ${id} was withdrawn, and not answered`, about);
        }
        if (signal.aborted) throw new OrchdError('ORCHD_TIMEOUT', `item ${id} is still open`, about);
        await this.#waiters.change(id, signal);
      }
    } finally {
      leave();
    }
  }

  /** Registers a caller that waits for the item, until the returned function is called. */
  addWaiter(entry: SessionEntry, itemId: string): () => void {
    const leave = this.#waiters.enter(itemId);
    return () => {
      leave();
      this.#care(entry, itemId);
    };
  }

  /** Records that the caller gets the answer, before the caller gets it. From then on the answer is never typed. */
  async give(entry: SessionEntry, { id }: Pick<Item, 'id'>, callId: string, caller: ToolCaller): Promise<void> {
    const kept = entry.trackedItem(id);
    if (!kept?.item.awaited || kept.item.answer?.delivery === 'acknowledged') return;
    if (!kept.isWritten) await this.#note(entry, { callId, phase: 'given' });
    caller.afterReply(() => {
      this.#note(entry, { callId, phase: 'taken' }).catch((error: unknown) => {
        if (!entry.hasEnded) this.#ports.log.error('an answer that was taken could not be noted', error);
      });
    });
  }

  async #note(entry: SessionEntry, data: GivenNote): Promise<void> {
    if (entry.hasEnded) return; // the caller has outlived its session's program
    const { position } = await this.#ports.host().call('note', { sessionId: entry.id, name: 'tool', data });
    entry.reader?.grew(position);
  }

  // ── changes elsewhere ─────────────────────────────────────────────────────────────────────────────────────────────

  onCalled({ callId, outcome }: Extract<Effect, { kind: 'called' }>, entry: SessionEntry): void {
    this.#calls.finished(entry, callId, outcome);
  }

  onItem({ id }: Item, entry: SessionEntry): void {
    this.#waiters.wake(id);
    this.#care(entry, id);
  }

  onEnd(entry: SessionEntry): void {
    this.#calls.end(entry);
  }

  /** Called after a restart of the daemon: waiting callers will reconnect. */
  resume(entry: SessionEntry): void {
    for (const { item } of entry.aggregate.items) this.#care(entry, item.id);
  }

  close(): void {
    this.#waiters.close();
  }

  /** Starts the timer of an item for which a tool call should wait but does not. */
  #care(entry: SessionEntry, itemId: string): void {
    const kept = entry.trackedItem(itemId);
    if (entry.hasEnded || !kept?.item.awaited || kept.isWritten) return;
    if (kept.item.answer?.stalled_reason !== 'nobody_waits') this.#waiters.expect(itemId);
  }

  #abandon(itemId: string): void {
    const found = this.#ports.registry.items().find(({ id }) => id === itemId);
    const entry = found && this.#ports.registry.get(found.session_id);
    const kept = entry?.trackedItem(itemId);
    if (!entry || entry.hasEnded || !kept?.item.awaited || kept.isWritten) return;
    const { writeId, decides, item } = kept;
    const hook = decides && item.call_id;
    const released = hook
      ? ({ kind: 'unasked', callId: hook, time: this.#ports.now() } as const)
      : ({ kind: 'released', itemId, ...this.#typed(entry, kept.item) } as const);
    const inputs = [
      ...(writeId !== null && isDeliveryPending(kept.item.answer)
        ? [{ kind: 'stalled', writeId, reason: 'nobody_waits', time: this.#ports.now() } as const]
        : []),
      ...(entry.view.mode !== 'batch' && this.#ports.typist.sees(entry) ? [released] : []),
    ];
    for (const input of inputs) {
      entry
        .apply(input)
        .catch((error: unknown) => this.#ports.log.error('an abandoned item could not be noted', error));
    }
  }

  /** Returns the text to type if it differs from the answer's own. */
  #typed(entry: SessionEntry, item: Item): { readonly typed?: string } {
    if (!item.answer) return {};
    const typed = typedAnswer(this.#ports, entry, item, item.answer.text);
    return typed === item.answer.text ? {} : { typed };
  }

  #itemOfCall(entry: SessionEntry, callId: string, messageId?: string): Item | undefined {
    return this.#ports.registry
      .itemsOf(entry)
      .find((item) => item.call_id === callId || (messageId !== undefined && item.message_id === messageId));
  }
}

const messageOf = (tool: MessageTool, input: unknown): Message => ({
  type: tool.message,
  data: input as Message['data'],
}); // The shape was checked above.

function resultOf(item: Item, callId: string): ToolResult {
  const { id, message_id, answer } = item;
  const answered = answer && {
    answer: answer.text,
    ...(answer.option !== undefined && { option: answer.option }),
    ...(answer.declined && { declined: answer.declined }),
    by: answer.by,
  };
  return { ok: true, call_id: callId, ...(message_id !== null && { message_id }), item_id: id, ...answered };
}
