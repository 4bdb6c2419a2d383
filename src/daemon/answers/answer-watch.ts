/**
 * Answer watch: notices accepted answers that are neither written nor stalled in time, for any reason.
 *
 * In:   the stored state of items (`onItem`), from every start of the daemon on.
 * Out:  `onOverdue`, once for each answer that is still `accepted` after `stallMs`.
 * Each accepted answer has one timer; there are no others. Waits are measured with the monotonic clock, so that a wall
 * clock that jumps makes no answer overdue. The wall clock only tells how old an answer was when the daemon started.
 */
import type { Item } from '../../protocol/index.js';
import type { SessionEntry } from '../registry/index.js';

interface AnswerWatchPorts {
  /** Milliseconds. */
  readonly stallMs: number;
  readonly onOverdue: (itemId: string, entry: SessionEntry) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds of the monotonic clock. */
  readonly monotonicNow: () => number;
}

interface Wait {
  readonly timer: NodeJS.Timeout;
  /** The time of the monotonic clock at which the answer is due. */
  readonly dueMs: number;
}

/** An answer counts as overdue only after this time, because its event may still be on the way to the disk. */
const SLACK_MS = 1_000;

export class AnswerWatch {
  readonly #ports: AnswerWatchPorts;
  readonly #waits = new Map<string, Wait>();

  constructor(ports: AnswerWatchPorts) {
    this.#ports = ports;
  }

  onItem(item: Item, entry: SessionEntry): void {
    const isWaiting = isAccepted(item);
    if (isWaiting === this.#waits.has(item.id)) return;
    if (!isWaiting) {
      this.#drop(item.id);
      return;
    }
    const { now, monotonicNow, stallMs, onOverdue } = this.#ports;
    const passed = now() - acceptedAt(item); // A clock that was set back makes it negative.
    const waitMs = Math.min(stallMs, Math.max(0, stallMs - passed));
    const timer = setTimeout(() => onOverdue(item.id, entry), waitMs).unref();
    this.#waits.set(item.id, { timer, dueMs: monotonicNow() + waitMs });
  }

  /** Returns the number of items whose answer should have been written, or stalled, by now. */
  overdue(items: readonly Item[]): number {
    const before = this.#ports.monotonicNow() - SLACK_MS;
    return items.filter((item) => isAccepted(item) && (this.#waits.get(item.id)?.dueMs ?? 0) < before).length;
  }

  close(): void {
    for (const id of [...this.#waits.keys()]) this.#drop(id);
  }

  #drop(id: string): void {
    clearTimeout(this.#waits.get(id)?.timer);
    this.#waits.delete(id);
  }
}

const isAccepted = ({ answer }: Item): boolean => answer?.delivery === 'accepted';
const acceptedAt = ({ answer }: Item): number => Date.parse(answer?.at ?? '');
