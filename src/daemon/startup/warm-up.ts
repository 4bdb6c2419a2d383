/**
 * Warms the daemon up (session/warm-up.ts) while it is idle.
 *
 * Begins DELAY_MS after the daemon listens. It uses STEP_MS of every turn and leaves PAUSE_MS to others. It ends once
 * there is real output to read, which also warms up the code.
 */

/** The process that starts a daemon usually sends a request immediately. */
const DELAY_MS = 1500;
const STEP_MS = 4;
const PAUSE_MS = 4;

/** Number of bytes of real output, read between two steps, after which warming up is not needed. */
const MUCH_BYTES = 16 * 1024;

/**
 * @param bytesRead Returns how many bytes of journals were read so far.
 * @returns A function that ends the warm-up early.
 */
export function beginWarmUp(bytesRead: () => number, now = () => performance.now()): () => void {
  let timer: NodeJS.Timeout | null = null;
  let isOver = false;
  let before = 0;
  const isBusy = (): boolean => {
    const much = before + MUCH_BYTES;
    before = bytesRead();
    return before > much;
  };
  const begin = async (): Promise<void> => {
    before = bytesRead();
    const { warmUp } = await import('../../session/index.js');
    const step = warmUp();
    const turn = (): void => {
      const end = now() + STEP_MS;
      if (isBusy()) return;
      while (now() < end) if (!step()) return;
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
