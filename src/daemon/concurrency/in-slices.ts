/** Slices: long work in parts between which other requests are served. */

/** Time of one slice, after which other requests are served. */
export const SLICE_MS = 4;

/** Calls the work until it returns true. It continues until `isOver` returns true, and returns true once it is done. */
export async function inSlices(work: (isOver: () => boolean) => boolean, now = () => performance.now()): Promise<void> {
  for (;;) {
    const end = now() + SLICE_MS;
    if (work(() => now() >= end)) return;
    await new Promise(setImmediate);
  }
}
