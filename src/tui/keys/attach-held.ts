/**
 * Holds keys that are typed while another session, or the data of an overlay, is being loaded. They are for that, and
 * must not reach the session that is still shown.
 */
const MAX_HELD_BYTES = 64 * 1024;

export interface HeldKeys {
  /** @returns True if the keys are held; false if no session is being opened, or too many are held. */
  take(bytes: Buffer): boolean;
  /** Forgets the held keys, because the session could not be opened. */
  drop(): void;
  /** Holds keys until the work is done, and delivers them then. Works may overlap. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

export function createHeldKeys(deliver: (bytes: Buffer) => void): HeldKeys {
  let works = 0;
  let held = Buffer.alloc(0);
  const drop = (): Buffer => {
    const all = held;
    held = Buffer.alloc(0);
    return all;
  };
  return {
    take(bytes) {
      if (works === 0) return false;
      if (held.length + bytes.length <= MAX_HELD_BYTES) held = Buffer.concat([held, bytes]);
      return true;
    },
    drop,
    async during(work) {
      works += 1;
      try {
        return await work();
      } finally {
        works -= 1;
        if (works === 0) {
          const all = drop();
          if (all.length > 0) deliver(all);
        }
      }
    },
  };
}
