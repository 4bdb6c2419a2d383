/**
 * Sessions that ask as soon as they were answered, and a client that answers at once: the load under which a disk
 * fails.
 *
 * Every answer is a word of its own. The programs write down what they were told, outside of the disk that fails.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Event, type Item, OrchdError } from '../../../src/protocol/index.js';
import type { TestDaemon } from '../../harness/daemon.js';

export interface AskingLoad {
  /** Number of answers that were accepted. */
  readonly accepted: number;
  /** Number of answers that the programs were told. */
  told(): number;
  /**
   * Checks the promises after the disk works again.
   * @throws An error that names what did not hold.
   */
  check(): Promise<void>;
  close(): Promise<void>;
}

const SESSIONS = 6;
/** Each session must receive this many more answers after the disk works again. */
const PROGRESS = 3;
const PATIENCE_MS = 60_000;
const POLL_MS = 100;
const ASKS = `n=0
while :; do
  n=$((n+1)); echo ":ORCHESTRATOR: QUESTION - Number $n?"
  read -r answer || exit; echo "$answer" >>"$1"
  head -c 2000 /dev/zero | tr '\\0' x | fold -w 70; echo
done`;

export async function startAskingLoad(daemon: TestDaemon): Promise<AskingLoad> {
  const dir = mkdtempSync(join(tmpdir(), 'orchd-asks-'));
  const script = join(dir, 'asks.sh');
  writeFileSync(script, ASKS);
  const files = new Map<string, string>();
  for (let n = 0; n < SESSIONS; n++) {
    const file = join(dir, `told-${n}`);
    const session = await daemon.client.call('session.start', { command: ['sh', script, file], cwd: dir });
    files.set(session.id, file);
  }
  const accepted = new Map<string, string>();
  const end = new AbortController();
  let since = 0;

  async function answer(item: Pick<Item, 'id' | 'session_id'>): Promise<void> {
    try {
      await daemon.client.call('inbox.answer', { item: item.id, text: `word-${item.id}` });
      accepted.set(item.id, item.session_id);
    } catch (error) {
      // The request was refused, or its reply was lost with the daemon. `check` finds accepted answers among the
      // events.
      if (!(error instanceof OrchdError)) throw error;
    }
  }
  async function answerAll(): Promise<void> {
    while (!end.signal.aborted) {
      try {
        for (const item of await daemon.client.call('inbox.list', {})) await answer(item);
        for await (const event of daemon.client.events({ since, type: ['item_opened'] })) {
          if (event.event_type === 'item_opened') since = event.seq;
        }
      } catch {
        // The daemon is away.
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  const answering = answerAll();
  const toldTo = (file: string): string[] =>
    existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const counts = (): number[] => [...files.values()].map((file) => toldTo(file).length);

  return {
    get accepted() {
      return accepted.size;
    },
    told: () => counts().reduce((sum, count) => sum + count, 0),
    async check() {
      const before = counts();
      await until('every session goes on', () => counts().every((count, n) => count >= (before[n] ?? 0) + PROGRESS));
      end.abort();
      await answering;
      const events: Event[] = [];
      await until('the events can be read', async () => {
        events.length = 0;
        for await (const event of daemon.client.events({ since: 0 })) {
          if (event.event_type !== 'gap') events.push(event);
        }
        return true;
      });
      const broken = events.findIndex(({ seq }, at) => seq !== at + 1);
      if (broken >= 0) throw new Error(`the events have a gap before ${events[broken]?.seq}`);
      await until('every accepted answer is told', () =>
        [...accepted].every(([id, session]) => toldTo(files.get(session) ?? '').includes(`word-${id}`)),
      );
      for (const file of files.values()) {
        const words = toldTo(file);
        if (new Set(words).size !== words.length) throw new Error(`an answer was typed twice: ${file}`);
      }
      const items = await daemon.client.call('inbox.list', { all: true });
      const lost = items.filter(({ answer: given }) => given?.delivery === 'accepted');
      if (lost.length > 0) {
        await until('no answer stays accepted', async () => {
          const now = await daemon.client.call('inbox.list', { all: true });
          return now.every(({ answer: given }) => given?.delivery !== 'accepted');
        });
      }
    },
    async close() {
      end.abort();
      await answering;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/**
 * Waits until a condition holds.
 * @throws An error that names it.
 */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    if (await Promise.resolve(holds()).catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`did not come in ${PATIENCE_MS / 1000} s: ${what}`);
}
