/**
 * Hooks: questions that an agent asks through its own hook program, which waits for the person's decision and returns
 * it to the agent.
 *
 * In:   the data that the agent passed to its hook; its adapter parses the question.
 * Out:  the output of the hook; null for none, so that the agent's own dialog decides.
 *
 * The question is in the journal before it is in the inbox, and the decision before the hook gets it (notes `hook` and
 * `tool`). When a hook ends, its question ends. A hook that reconnects is recognized by its call id.
 */
import type { HostClient } from '../../host/index.js';
import { type OutputOf, optionsOf } from '../../protocol/index.js';
import type { HookNote, HookQuestion } from '../../session/index.js';
import { Listeners } from '../concurrency/index.js';
import type { Log } from '../log.js';
import type { Registry, SessionEntry } from '../registry/index.js';
import type { ToolCaller, ToolMessages } from '../tools/index.js';

interface HooksPorts {
  readonly registry: Registry;
  readonly messages: Pick<ToolMessages, 'addWaiter' | 'give'>;
  readonly host: () => HostClient;
  readonly log: Log;
  readonly now: () => number;
}

type HookResult = OutputOf<'session.hook'>;
const NOTHING: HookResult = { output: null };

/** Passes questions of agents' hook programs to the inbox, and the decisions back to the hooks. */
export class Hooks {
  readonly #ports: HooksPorts;
  readonly #listeners = new Listeners();
  #isClosed = false;

  constructor(ports: HooksPorts) {
    this.#ports = ports;
  }

  /** @throws {OrchdError} The host's error: the question was not asked. */
  async ask(entry: SessionEntry, payload: object, callId: string, caller: ToolCaller): Promise<HookResult> {
    const { adapterNamed, HOOK_NOTE } = await import('../../session/index.js');
    const asked = adapterNamed(entry.view.adapter)?.hooks?.ask(payload as Record<string, unknown>) ?? null;
    if (!asked || entry.hasEnded) return NOTHING;
    const { text, shows, choices } = asked;
    const note: HookNote = { callId, text, shows, choices: choices.map(({ label }) => label) };
    if (!this.#isAsked(entry, callId)) {
      const { position } = await this.#ports.host().call('note', { sessionId: entry.id, name: HOOK_NOTE, data: note });
      entry.reader?.grew(position);
      await entry.reader?.caughtUp();
    }
    const decided = await this.#wait(entry, asked, callId, caller);
    if (decided) return decided;
    this.#leave(entry, callId);
    return NOTHING;
  }

  /** @returns  Null if the hook can no longer decide. */
  async #wait(
    entry: SessionEntry,
    asked: HookQuestion,
    callId: string,
    caller: ToolCaller,
  ): Promise<HookResult | null> {
    while (this.#isAsked(entry, callId) && !caller.signal.aborted && !entry.hasEnded) {
      const kept = entry.aggregate.items.find(({ item }) => item.call_id === callId);
      // The stored answer. Undefined for an item that is not in the store yet, only in the session's aggregate.
      const answer = this.#ports.registry.items().find(({ id }) => id === kept?.item.id)?.answer;
      const at = (answer?.option ?? 0) - 1;
      const label = kept?.decides?.[at] ? optionsOf(kept.item)[at] : undefined;
      const choice = asked.choices.find((one) => one.label === label);
      if (kept && answer && choice) {
        await this.#ports.messages.give(entry, kept.item, callId, caller);
        return { output: JSON.stringify(choice.output(answer.text.slice(choice.label.length))) };
      }
      const leave = kept ? this.#ports.messages.addWaiter(entry, kept.item.id) : () => {};
      await this.#listeners.change(entry.id, caller.signal);
      leave();
    }
    return null;
  }

  /** Called when the items of this session or the questions of its hooks have changed. */
  wake({ id }: SessionEntry): void {
    this.#listeners.wake(id);
  }

  /** Called when the daemon stops: hooks whose connection ends now will reconnect. */
  close(): void {
    this.#isClosed = true;
  }

  #isAsked({ aggregate }: SessionEntry, callId: string): boolean {
    return aggregate.asks?.some((one) => one.callId === callId) === true;
  }

  #leave(entry: SessionEntry, callId: string): void {
    if (!this.#isAsked(entry, callId) || entry.hasEnded || this.#isClosed) return;
    entry
      .apply({ kind: 'unasked', callId, time: this.#ports.now() })
      .catch((error: unknown) => this.#ports.log.error('a hook that is gone could not be noted', error));
  }
}
