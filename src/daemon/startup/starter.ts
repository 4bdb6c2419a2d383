/**
 * Tells the process that started the daemon (the starter) how far the start is, by lines on standard output:
 *
 *     starting: reading the event log
 *     starting: hearing 12.4 MB that 3 sessions printed
 *     listening
 *
 * or, if the daemon cannot start:
 *
 *     failed: {"code":…,"error":…}
 *
 * The starter may stop waiting at any time. A write to its closed pipe must not end the daemon.
 */
import { writeSync } from 'node:fs';
import { FAILED, LISTENING, OrchdError, STARTING } from '../../protocol/index.js';

/** Interval at which the current step is reported again. It shows the starting process that the daemon still works. */
const REPEAT_MS = 1_000;

interface Starter {
  /** Reports a step now, and again every second until the next one. `describe` is called each time. */
  step(describe: () => string): void;
  /** Reports that requests are answered. No report follows. */
  listening(): void;
}

/**
 * Creates the reporter of the start.
 *
 * @param out  The stream that the starter reads. Errors of the stream are ignored.
 */
export function createStarter(out: NodeJS.WriteStream): Starter {
  out.on('error', () => {}); // EPIPE: the starter is gone
  let timer: NodeJS.Timeout | undefined;
  return {
    step(describe) {
      clearInterval(timer);
      const tell = () => void out.write(`${STARTING}${describe()}\n`);
      tell();
      timer = setInterval(tell, REPEAT_MS);
      timer.unref();
    },
    listening() {
      clearInterval(timer);
      out.write(`${LISTENING}\n`);
    },
  };
}

/** Reports why the start has failed. The line is written synchronously, because the process ends at once. */
export function tellFailure(error: unknown): void {
  const known = error instanceof OrchdError ? error : new OrchdError('ORCHD_INTERNAL', String(error));
  try {
    writeSync(1, `${FAILED}${JSON.stringify({ code: known.code, error: known.message })}\n`);
  } catch {
    // The starter has ended.
  }
}
