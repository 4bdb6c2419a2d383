/**
 * Hooks: what an agent asks by a hook of its own, which waits for the person and tells the agent what was decided.
 *
 * In:   what the agent gave to its hook, as it is; who asks by it is the agent's adapter's to say.
 * Out:  what the hook prints; null for nothing: then the agent's own dialog decides.
 *
 * What is asked is in the journal before it is in the inbox, a decision that the hook gives before the hook has it (notes `hook` and
 * `tool`). A hook that is gone asks no more; one that comes again, after a lost connection, is the same one by its call id.
 */
import type { HostClient } from '../../host/index.js';
import { type OutputOf, optionsOf } from '../../protocol/index.js';
import type { HookNote, HookQuestion } from '../../session/index.js';
import { Listeners } from '../listeners.js';
import type { Log } from '../log.js';
import type { Registry } from '../registry.js';
import type { SessionEntry } from '../session-entry.js';
import type { ToolCaller, Tools } from '../tools/tools.js';

export interface HooksPorts {
  readonly registry: Registry;
  readonly tools: Tools;
  readonly host: () => HostClient;
  readonly log: Log;
}

type HookResult = OutputOf<'session.hook'>;
const NOTHING: HookResult = { output: null };

export class Hooks {
  readonly #ports: HooksPorts;
  readonly #listeners = new Listeners();
  #isClosed = false;

  constructor(ports: HooksPorts) {
    this.#ports = ports;
  }

  /** @throws {OrchdError} The host's: it was not asked. */
  async ask(entry: SessionEntry, payload: object, callId: string, caller: ToolCaller): Promise<HookResult> {
    const { adapterNamed, HOOK_NOTE } = await import('../../session/index.js');
    const asked = adapterNamed(entry.view.adapter)?.hooks?.ask(payload as Record<string, unknown>) ?? null;
    if (!asked || entry.hasEnded) return NOTHING;
    const { text, shows, choices } = asked;
    const note: HookNote = { callId, text, shows, choices: choices.map(({ label }) => label) };
    if (!this.#isAsked(entry, callId)) {
      const { position } = await this.#ports.host().call('note', { sessionId: entry.id, name: HOOK_NOTE, data: note });
      entry.runner?.grew(position);
      await entry.runner?.caughtUp();
    }
    const decided = await this.#wait(entry, asked, callId, caller);
    if (decided) return decided;
    this.#leave(entry, callId);
    return NOTHING;
  }

  /** @returns  Null when nothing is decided by the hook any more. */
  async #wait(
    entry: SessionEntry,
    asked: HookQuestion,
    callId: string,
    caller: ToolCaller,
  ): Promise<HookResult | null> {
    while (this.#isAsked(entry, callId) && !caller.signal.aborted && !entry.hasEnded) {
      const kept = entry.book.items.find(({ item }) => item.call_id === callId);
      // As it is on disk; not there for one that only is in the book yet.
      const answer = this.#ports.registry.items().find(({ id }) => id === kept?.item.id)?.answer;
      const at = (answer?.option ?? 0) - 1;
      const label = kept?.decides?.[at] ? optionsOf(kept.item)[at] : undefined;
      const choice = asked.choices.find((one) => one.label === label);
      if (kept && answer && choice) {
        await this.#ports.tools.give(entry, kept.item, callId, caller);
        return { output: JSON.stringify(choice.output(answer.text.slice(choice.label.length))) };
      }
      const leave = kept ? this.#ports.tools.attend(entry, kept.item.id) : () => {};
      await this.#listeners.change(entry.id, caller.signal);
      leave();
    }
    return null;
  }

  /** Something of this session's items, or of what its hooks ask, has changed. */
  wake({ id }: SessionEntry): void {
    this.#listeners.wake(id);
  }

  /** The daemon stops: hooks that it loses now come again. */
  close(): void {
    this.#isClosed = true;
  }

  #isAsked({ book }: SessionEntry, callId: string): boolean {
    return book.asks?.some((one) => one.callId === callId) === true;
  }

  #leave(entry: SessionEntry, callId: string): void {
    if (!this.#isAsked(entry, callId) || entry.hasEnded || this.#isClosed) return;
    entry
      .apply({ kind: 'unasked', callId, time: Date.now() })
      .catch((error: unknown) => this.#ports.log.error('a hook that is gone could not be noted', error));
  }
}
