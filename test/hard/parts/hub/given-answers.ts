/** Answers of the first machine of a hub to the questions of all others. Each has a text of its own. */
import { setTimeout } from 'node:timers/promises';
import { OrchdError, type OutputOf } from '../../../../src/protocol/index.js';
import { readJournal } from '../../../harness/read-journal.js';
import { check, type Home, until } from '../home.js';
import type { TestedHub } from './tested-hub.js';

/** A program that asks, prints the line that it reads, and asks again, without end. */
export const ASKER =
  'i=0; while :; do i=$((i+1)); echo ":ORCHESTRATOR: QUESTION - number $i?"; read -r a || exit; echo "read $a"; done';

export class GivenAnswers {
  readonly #hub: TestedHub;
  /** The answers whose outcome was told at once. The daemon keeps the last 200 outcomes only. */
  readonly #delivered = new Set<string>();
  #given = 0;

  constructor(hub: TestedHub) {
    this.#hub = hub;
  }

  async giveUntil(signal: AbortSignal): Promise<void> {
    const { name, home } = this.#hub.first;
    while (!signal.aborted) {
      const items = await home.client.call('hub.items', {}).catch(() => []);
      const open = items.filter(({ machine, on_its_way }) => machine !== name && !on_its_way);
      for (const { machine, item } of open) {
        const input = { item: item.id, text: `a${this.#given++}` };
        // A refusal, and a daemon that was killed meanwhile, are seen among the commands.
        const call = home.client.call('hub.call', { machine, operation: 'inbox.answer', input });
        const outcome = await call.catch((error: unknown) => {
          if (!(error instanceof OrchdError)) throw error;
          return null;
        });
        if (outcome?.state === 'done') this.#delivered.add(input.text);
      }
      await setTimeout(100);
    }
  }

  async check(limitMs: number): Promise<void> {
    const { machines, first } = this.#hub;
    const isSettled = async (): Promise<OutputOf<'hub.commands'> | false> => {
      const commands = await first.home.client.call('hub.commands', {});
      const ofAnswers = commands.filter(({ operation }) => operation === 'inbox.answer');
      return ofAnswers.every(({ state }) => state !== 'on_its_way') && ofAnswers;
    };
    const commands = await until('every answer has an outcome', isSettled, limitMs);
    const delivered = new Set(this.#delivered);
    for (const { state, input } of commands) if (state === 'delivered') delivered.add(String(input['text']));
    const read = new Map<string, number>();
    const look = async (): Promise<boolean> => {
      read.clear();
      for (const { home } of machines) countRead(home, await home.client.call('session.list', {}), read);
      return [...delivered].every((text) => read.has(text));
    };
    await until('every delivered answer is read', look);
    const twice = [...read].filter(([, count]) => count > 1);
    check(`no answer was typed twice, of ${this.#given}`, twice.length === 0);
    const refused = commands.filter(({ state }) => state === 'refused').map(({ input }) => String(input['text']));
    check(`${refused.length} refused answers were never typed`, !refused.some((text) => read.has(text)));
    check(`${delivered.size} answers were delivered and read once`, delivered.size > 0);
  }
}

function countRead({ paths }: Home, sessions: readonly { readonly id: string }[], read: Map<string, number>): void {
  for (const { id } of sessions) {
    let text = '';
    for (const record of readJournal(paths.journalsDir, id)) {
      if (record.kind === 'out') text += Buffer.from(record.bytes).toString();
    }
    for (const [, word = ''] of text.matchAll(/^read (a\d+)\r?$/gm)) read.set(word, (read.get(word) ?? 0) + 1);
  }
}
