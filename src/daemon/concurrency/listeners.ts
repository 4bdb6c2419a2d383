/** Waits for the next change of an object with an id. */
export class Listeners {
  readonly #listeners = new Map<string, Set<() => void>>();

  /** Resolves at its next change, or when the signal aborts. */
  change(id: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const listeners = this.#listeners.get(id) ?? new Set();
      this.#listeners.set(id, listeners);
      const end = (): void => {
        signal.removeEventListener('abort', end);
        listeners.delete(end);
        if (listeners.size === 0) this.#listeners.delete(id);
        resolve();
      };
      listeners.add(end);
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
    });
  }

  wake(id: string): void {
    for (const listener of [...(this.#listeners.get(id) ?? [])]) listener();
  }
}
