/**
 * Usage side of a session: adds up the usage of the requests that the agent's transcript names.
 *
 * In:   usage items with the time of their note; the end of a turn, the end of the program.
 * Out:  the finding `usage` with the totals: when a turn ends, for each record that is written after that, and at most
 *       every REPORT_MS while a turn goes on.
 */
import type { UnplacedFinding } from '../../../ears/index.js';
import type { RunUsage } from '../../../protocol/index.js';
import type { TranscriptItem } from '../../adapters/index.js';

type UsageItem = Extract<TranscriptItem, { kind: 'usage' }>;
type Requests = readonly (readonly [id: string, usage: UsageItem['usage']])[];

/** A request's record is written again within its turn, while at most a few other requests are made. */
const MAX_REQUESTS = 50;
/** After the end of a turn only its last records are written again. A checkpoint then has few of them. */
const LAST_REQUESTS = 3;
/**
 * Minimum time between two reports, because each report stores an event. A used-up budget is noticed with at most this
 * delay.
 */
const REPORT_MS = 10_000;

export interface UsageSideState {
  /** Null before the first item. */
  readonly total: RunUsage | null;
  readonly requests: Requests;
  readonly reportedAt: number;
  readonly isReported: boolean;
  readonly hasEnded: boolean;
  /** True after the end of a turn, until the next one begins. Undefined stands for false. */
  readonly isResting?: boolean;
}

const NOTHING: RunUsage = {
  input_tokens: null,
  output_tokens: null,
  cached_input_tokens: null,
  cost_usd: null,
  turns: 0,
};

export class UsageSide {
  readonly #find: (told: UnplacedFinding) => void;
  #state: UsageSideState;

  constructor(find: (told: UnplacedFinding) => void, state?: UsageSideState) {
    this.#find = find;
    this.#state = state ?? { total: null, requests: [], reportedAt: 0, isReported: true, hasEnded: false };
  }

  /** Undefined before the first item, so that a checkpoint of another program stays small. */
  state(): UsageSideState | undefined {
    return this.#state.total === null && !this.#state.hasEnded ? undefined : this.#state;
  }

  take({ id, usage }: UsageItem, time: number): void {
    const { total, requests, reportedAt, hasEnded, isResting = false } = this.#state;
    const before = requests.find(([known]) => known === id)?.[1] ?? null;
    const others = requests.filter(([known]) => known !== id);
    this.#state = {
      ...this.#state,
      total: added(total ?? NOTHING, usage, before),
      requests: id === undefined ? requests : [...others, [id, usage] as const].slice(-MAX_REQUESTS),
      isReported: false,
    };
    if (hasEnded || isResting || time - reportedAt >= REPORT_MS) this.#report(time);
  }

  beginTurn(): void {
    this.#state = { ...this.#state, isResting: false };
  }

  /** Called when a turn ends, perhaps by several sources. */
  endTurn(time: number): void {
    this.#state = { ...this.#state, isResting: true, requests: this.#state.requests.slice(-LAST_REQUESTS) };
    this.#report(time);
  }

  #report(time: number): void {
    const { total, isReported } = this.#state;
    if (isReported || total === null) return;
    this.#state = { ...this.#state, isReported: true, reportedAt: time };
    this.#find({ kind: 'usage', usage: total });
  }

  /** Called when the program has ended. The rest of its transcript is read afterwards. */
  end(time: number): void {
    this.#state = { ...this.#state, hasEnded: true };
    this.#report(time);
  }
}

/** Adds a request, or replaces `before`, which was added earlier. */
function added(total: RunUsage, usage: UsageItem['usage'], before: UsageItem['usage'] | null): RunUsage {
  const add = (field: keyof UsageItem['usage']): number | null => {
    const [sum, more] = [total[field], usage[field]];
    return more === null ? sum : Math.max(0, (sum ?? 0) + more - (before?.[field] ?? 0));
  };
  return {
    input_tokens: add('input_tokens'),
    output_tokens: add('output_tokens'),
    cached_input_tokens: add('cached_input_tokens'),
    cost_usd: add('cost_usd'),
    turns: (total.turns ?? 0) + (before === null ? 1 : 0),
  };
}
