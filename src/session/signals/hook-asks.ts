/**
 * Hook asks: remembers what an agent's hooks have asked, and when they were answered.
 *
 * A hook may ask before the agent has painted anything, and an agent may leave its screen and paint again. So these
 * questions are kept for the whole session, beside the screens that come and go.
 */

/** The question of a hook. */
export interface HookAsk {
  readonly callId: string;
  /** What its dialog shows, without blanks. */
  readonly shows: string;
  /** Time at which the hook was answered; null if it still waits. */
  readonly decidedAt: number | null;
}

/** Maximum number of hooks whose questions are remembered. */
const MAX_ASKS = 20;
const BLANKS = /\s/g;

export class HookAsks {
  /** The newest last. */
  #asks: readonly HookAsk[];

  constructor(state: readonly HookAsk[] = []) {
    this.#asks = state;
  }

  state(): readonly HookAsk[] {
    return this.#asks;
  }

  /** Called when a hook asks. `shows` is what its dialog shows. */
  asked(callId: string, shows: string): void {
    const ask = { callId, shows: shows.replace(BLANKS, ''), decidedAt: null };
    if (ask.shows !== '') this.#asks = [...this.#asks.filter((one) => one.callId !== callId), ask].slice(-MAX_ASKS);
  }

  /** Called when a hook is answered. */
  decided(callId: string, decidedAt: number): void {
    this.#asks = this.#asks.map((ask) => (ask.callId === callId ? { ...ask, decidedAt } : ask));
  }

  /** Returns when the hook that asks the same as a dialog was answered; null if it waits, or if there is none. */
  decidedAt(dialogText: string): number | null {
    const shown = dialogText.replace(BLANKS, '');
    return this.#asks.findLast(({ shows }) => shown.includes(shows))?.decidedAt ?? null;
  }
}
