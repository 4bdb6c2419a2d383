/**
 * Warms the daemon up (session/warm-up.ts) while it is idle.
 *
 * Begins DELAY_MS after the daemon listens. It uses STEP_MS of every turn and leaves PAUSE_MS to others. It ends once
 * there is real output to read, which also warms up the code.
 */
import { setFlagsFromString } from 'node:v8';

/** V8 inlines functions into another one up to so much bytecode; by default 920. */
const INLINED_BYTECODE = 300;

/**
 * Has the JIT compiler inline less. The readers are many small functions, and compiling them for the first megabytes
 * took a third of the daemon's time; what it compiles now is as fast. A V8 without this flag says so in the log.
 */
export function inlineLess(): void {
  setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${INLINED_BYTECODE}`);
}

/** The process that starts a daemon usually sends a request immediately. */
const DELAY_MS = 1500;
const STEP_MS = 4;
const PAUSE_MS = 4;

/** Real output read between two steps that makes further warming up unnecessary. */
const MUCH_BYTES = 16 * 1024;

/**
 * @param heard Returns how many bytes of journals were read so far.
 * @returns A function that ends it early.
 */
export function beginWarmUp(heard: () => number): () => void {
  let timer: NodeJS.Timeout | null = null;
  let isOver = false;
  let before = 0;
  const isBusy = (): boolean => {
    const much = before + MUCH_BYTES;
    before = heard();
    return before > much;
  };
  const begin = async (): Promise<void> => {
    before = heard();
    const { warmUp } = await import('../../session/index.js');
    const step = warmUp();
    const turn = (): void => {
      const end = performance.now() + STEP_MS;
      if (isBusy()) return;
      while (performance.now() < end) if (!step()) return;
      if (!isOver) timer = setTimeout(turn, PAUSE_MS).unref();
    };
    if (!isOver) turn();
  };
  timer = setTimeout(() => void begin(), DELAY_MS).unref();
  return () => {
    isOver = true;
    if (timer) clearTimeout(timer);
  };
}
