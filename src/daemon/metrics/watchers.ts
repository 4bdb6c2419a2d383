/** Counts the open streams of each kind. */
type StreamKind = 'events' | 'terminal';

export interface Watchers {
  /** Counts a stream as open until the returned function is called. */
  add(kind: StreamKind): () => void;
  readonly counts: Readonly<Record<StreamKind, number>>;
}

/** Creates the counts of open streams. `add` counts a stream and returns the function that ends it. */
export function createWatchers(): Watchers {
  const counts: Record<StreamKind, number> = { events: 0, terminal: 0 };
  return {
    counts,
    add(kind) {
      counts[kind]++;
      let isOpen = true;
      return () => {
        if (isOpen) counts[kind]--;
        isOpen = false;
      };
    },
  };
}
