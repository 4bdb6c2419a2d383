/**
 * Load for crash tests: sessions that print numbered messages, sessions that ask in a loop, a client that answers them,
 * and a follower of the event log that is never told of a crash.
 */
import type { Event, GapEvent, Session } from '../../src/protocol/index.js';
import type { TestDaemon } from './daemon.js';

/** Prints fences and markers, numbered from 1, until the file STOP exists; then prints their number. */
const REPORTER = `
n=0
 while [ ! -e "$STOP" ]; do
  n=$((n+1))
  if [ $((n % 3)) = 0 ]; then echo ":ORCHESTRATOR: TASK COMPLETE - step $n"
  else printf '%s\\n' '\`\`\`orchestrator-message' "{\\"type\\":\\"STATUS_UPDATE\\",\\"data\\":{\\"currentStep\\":\\"step $n\\"}}" '\`\`\`'; fi
  sleep 0.0$((n % 3 + 1))
 done
 echo ":ORCHESTRATOR: TASK COMPLETE - printed $n"`;

/** Asks one question after the other, and prints each answer that it receives once. */
const ASKER = `
n=0
while [ ! -e "$STOP" ]; do
 n=$((n+1))
 printf '%s\\n' '\`\`\`orchestrator-message' "{\\"type\\":\\"QUESTION\\",\\"data\\":{\\"question\\":\\"number $n?\\"}}" '\`\`\`'
 read -r answer
 echo "$answer" >> "$TOLD"
 echo "told $answer"
done`;

export interface LoadFiles {
  /** Path of the file whose existence ends the sessions. */
  readonly stop: string;
  /** Returns the answers that an asker received, one per line. */
  told(index: number): string;
}

export const startReporter = (daemon: TestDaemon, files: LoadFiles): Promise<Session> =>
  daemon.sh(REPORTER, '--env', `STOP=${files.stop}`);

export const startAsker = (daemon: TestDaemon, files: LoadFiles, index: number): Promise<Session> =>
  daemon.sh(ASKER, '--env', `STOP=${files.stop}`, '--env', `TOLD=${files.told(index)}`);

/** Follows the log from its beginning, across crashes. */
export function followAll(
  daemon: TestDaemon,
  signal: AbortSignal,
): { events: (Event | GapEvent)[]; ended: Promise<void> } {
  const events: (Event | GapEvent)[] = [];
  const run = async () => {
    for await (const event of daemon.client.events({ follow: true, since: 0, signal })) events.push(event);
  };
  return { events, ended: run() };
}

/**
 * Answers every item, and repeats requests while the daemon is away. `accepted` contains the text of each answer with
 * status 200, by item.
 */
export function answerAll(
  daemon: TestDaemon,
  signal: AbortSignal,
): { accepted: Map<string, string>; ended: Promise<void> } {
  const accepted = new Map<string, string>();
  const answerOne = async (item: string): Promise<void> => {
    const text = `answer to ${item}`;
    for (;;) {
      try {
        await daemon.client.call('inbox.answer', { item, text });
        accepted.set(item, text);
        return;
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined;
        // The reply was lost with the daemon. The answer counts if the next daemon has it.
        if (code === 'ORCHD_ITEM_CLOSED') return;
        if (signal.aborted) return;
        await new Promise(setImmediate);
      }
    }
  };
  const run = async () => {
    const pending = new Set<Promise<void>>();
    for await (const event of daemon.client.events({ follow: true, since: 0, type: ['item_opened'], signal })) {
      if (event.event_type !== 'item_opened') continue;
      const answering = answerOne(event.item_id).finally(() => pending.delete(answering));
      pending.add(answering);
    }
    await Promise.all(pending);
  };
  return { accepted, ended: run() };
}
