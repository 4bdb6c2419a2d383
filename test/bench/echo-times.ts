/** Times from a key, typed into a session that echoes, to its echo at a client. */
import { setTimeout } from 'node:timers/promises';
import type { Viewed } from './systems.js';

export interface EchoOptions {
  readonly how: 'follow' | 'attach';
  /** Name of the session. */
  readonly name: string;
  /** Number of keys. */
  readonly count: number;
  /** Pause between two keys, on average. It is random, so that the keys are not in step with any timer. */
  readonly everyMs: number;
  /** Time until everything is drawn. */
  readonly settleMs: number;
  /** Maximum time to wait for an echo. */
  readonly patienceMs: number;
}

/**
 * Letters that occur in no sequence that a terminal receives while a key is echoed. A line of tmux's control mode
 * begins with the pane's name; the key comes after it.
 */
const LETTERS = 'QVWZ';

export async function echoTimes(
  system: Viewed,
  { how, name, count, everyMs, settleMs, patienceMs }: EchoOptions,
): Promise<number[]> {
  const times: number[] = [];
  let wanted = '';
  let onSeen: () => void = () => {};
  const view = await system[how](await system.start(name, ['cat']), (text) => {
    if (wanted !== '' && text.includes(wanted)) onSeen();
  });
  await setTimeout(settleMs);
  while (times.length < count) {
    wanted = LETTERS[times.length % LETTERS.length] ?? '';
    const start = performance.now();
    const seen = new Promise<void>((resolve) => {
      onSeen = resolve;
    });
    view.write(wanted);
    await Promise.race([seen, setTimeout(patienceMs)]);
    times.push(performance.now() - start);
    wanted = '';
    if (times.length % 40 === 0) view.write('\r');
    await setTimeout(everyMs * (0.5 + Math.random()));
  }
  view.close();
  return times;
}
