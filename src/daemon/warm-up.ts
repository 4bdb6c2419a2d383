/**
 * Warms the daemon up (session/warm-up.ts) while it has nothing better to do.
 *
 * Begins DELAY_MS after the daemon listens; takes STEP_MS of every turn and leaves PAUSE_MS to others. It ends once there is output to
 * be heard: that warms up as well.
 */
/** Whoever starts a daemon mostly wants something of it at once. */
const DELAY_MS = 1500;
const STEP_MS = 4;
const PAUSE_MS = 4;

/** So much was heard between two steps: that warms up by itself. */
const MUCH_BYTES = 16 * 1024;

/**
 * @param heard  How many bytes of journals were heard so far.
 * @returns      A function that ends it early.
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
    const { warmUp } = await import('../session/index.js');
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
