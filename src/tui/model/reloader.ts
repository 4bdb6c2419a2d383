/**
 * Reloads stale parts of the model from the daemon, at a rate that the daemon can bear.
 *
 * In:   the parts that events made stale, and which parts the open view shows.
 * Out:  the daemon's replies, as inputs for the model.
 * At most one request is in flight. The pause between two rounds is at least REST_MS, and longer if a round took long.
 */
import { OrchdError } from '../../protocol/index.js';
import type { ModelInput } from './model.js';

interface Reloader<Part> {
  /** Reloads these parts after the pause. Parts that are not shown stay stale. */
  reload(parts: Iterable<Part>): void;
  /** Reloads these parts without a pause, as for a newly opened view. */
  reloadNow(parts: Iterable<Part>): void;
  close(): void;
}

interface ReloaderPorts<Part> {
  readonly load: (part: Part) => Promise<ModelInput>;
  readonly isShown: (part: Part) => boolean;
  readonly take: (input: ModelInput) => void;
  /** Called with the reason if something cannot be shown, except if the daemon is away. */
  readonly fail: (error: unknown) => void;
  readonly now: () => number;
}

const REST_MS = 250;
/** The pause after a round is this many times as long as the round took. */
const REST_FACTOR = 4;

export function createReloader<Part>({ load, isShown, take, fail, now }: ReloaderPorts<Part>): Reloader<Part> {
  const stale = new Set<Part>();
  let isLoading = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let restUntil = 0;

  function schedule(): void {
    if (isLoading || isClosed || timer !== undefined || ![...stale].some(isShown)) return;
    timer = setTimeout(() => void loadStale(), Math.max(0, restUntil - now()));
  }

  async function loadStale(): Promise<void> {
    timer = undefined;
    isLoading = true;
    const startedAt = now();
    for (const part of [...stale].filter(isShown)) {
      stale.delete(part); // later events make it stale again
      try {
        const input = await load(part);
        if (!isClosed) take(input);
      } catch (error) {
        const isAway = error instanceof OrchdError && error.code === 'ORCHD_DAEMON_UNREACHABLE';
        if (!isAway && !isClosed) fail(error); // after a reconnect, a snapshot makes everything stale
      }
    }
    isLoading = false;
    restUntil = now() + Math.max(REST_MS, REST_FACTOR * (now() - startedAt));
    schedule();
  }

  const reload = (parts: Iterable<Part>): void => {
    for (const part of parts) stale.add(part);
    schedule();
  };
  return {
    reload,
    reloadNow(parts) {
      restUntil = 0;
      clearTimeout(timer);
      timer = undefined;
      reload(parts);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
