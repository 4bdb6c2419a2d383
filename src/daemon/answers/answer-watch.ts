/**
 * Answer watch: notices accepted answers that are neither written nor stalled in time, for any reason.
 *
 * In:   the stored state of items (`onItem`), from every start of the daemon on.
 * Out:  `onOverdue`, once for each answer that is still `accepted` after `stallMs`.
 * Each accepted answer has one timer; there are no others.
 */
import type { Item } from '../../protocol/index.js';
import type { SessionEntry } from '../registry/index.js';

interface AnswerWatchPorts {
  /** Milliseconds. */
  readonly stallMs: number;
  readonly onOverdue: (itemId: string, entry: SessionEntry) => void;
  readonly now: () => number;
}

/** An answer counts as overdue only after this time, because its event may still be on the way to the disk. */
const SLACK_MS = 1_000;

export class AnswerWatch {
  readonly #ports: AnswerWatchPorts;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(ports: AnswerWatchPorts) {
    this.#ports = ports;
  }

  onItem(item: Item, entry: SessionEntry): void {
    const isWaiting = isAccepted(item);
    if (isWaiting === this.#timers.has(item.id)) return;
    if (!isWaiting) {
      this.#drop(item.id);
      return;
    }
    const { now, stallMs, onOverdue } = this.#ports;
    const passed = now() - acceptedAt(item); // A clock that was set back makes it negative.
    const timer = setTimeout(() => onOverdue(item.id, entry), Math.min(stallMs, Math.max(0, stallMs - passed)));
    timer.unref();
    this.#timers.set(item.id, timer);
  }

  /** Returns the number of items whose answer should have been written, or stalled, by now. */
  overdue(items: readonly Item[]): number {
    const before = this.#ports.now() - this.#ports.stallMs - SLACK_MS;
    return items.filter((item) => isAccepted(item) && acceptedAt(item) < before).length;
  }

  close(): void {
    for (const id of [...this.#timers.keys()]) this.#drop(id);
  }

  #drop(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }
}

const isAccepted = ({ answer }: Item): boolean => answer?.delivery === 'accepted';
const acceptedAt = ({ answer }: Item): number => Date.parse(answer?.at ?? '');
