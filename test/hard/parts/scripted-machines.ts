/**
 * Machines of a hub that are scripted: each is a real member (src/hub) with a log, sessions and items that are made up.
 *
 * A process of `fleet.ts` runs it. In: the assignment as JSON in its first argument; `ask` and `stop` as messages. Out:
 * messages with the id of each question and the time at which it was asked.
 */
import { setTimeout } from 'node:timers/promises';
import { type LogReader, Member, type MemberPorts } from '../../../src/hub/index.js';
import type { Item, Session } from '../../../src/protocol/index.js';

export interface Assignment {
  readonly url: string;
  /** The numbers of its machines. */
  readonly from: number;
  readonly count: number;
  readonly sessionsEach: number;
  /** A session and an item of a real daemon. */
  readonly session: Session;
  readonly item: Item;
  readonly seed: number;
}

export type ToFleet = { readonly kind: 'ask'; readonly perMinute: number } | { readonly kind: 'stop' };
export type FromFleet =
  | { readonly kind: 'ready' }
  | { readonly kind: 'asked'; readonly id: string; readonly at: number };

/** How long a question is open. */
const OPEN_MS = 10_000;

class ScriptedMachine {
  readonly name: string;
  readonly #lines: { seq: number; line: string }[] = [];
  readonly #sessions: readonly Session[];
  readonly #open = new Map<string, Item>();
  readonly #item: Item;
  readonly #member: Member;
  #wake: () => void = () => undefined;
  #asked = 0;

  constructor(number: number, { url, session, item, sessionsEach }: Assignment) {
    this.name = `m${number}`;
    this.#item = item;
    this.#sessions = Array.from({ length: sessionsEach }, (_, at) => ({
      ...session,
      id: `ses_${this.name}x${at}`,
      name: `agent-${at}`,
    }));
    const never = async (): Promise<never> => Promise.reject(new Error('it carries out nothing'));
    const ports: MemberPorts = {
      version: '0.0.0',
      share: 'inbox',
      rate: 0,
      labels: [],
      lastSeq: () => this.#lines.length,
      reader: (since, signal) => this.#reader(since, signal),
      sessions: () => this.#sessions,
      openItems: () => [...this.#open.values()],
      remember: () => undefined,
      mail: {
        waiting: () => [],
        isEnrolled: () => false,
        onCommand: never,
        onTaken: async () => undefined,
        onOffered: async () => undefined,
        onOutcome: async () => undefined,
      },
      work: {
        isFree: () => false,
        whenFree: () => never(),
        begin: never,
        held: () => [],
        release: async () => undefined,
      },
      now: () => performance.now(),
      log: { info: () => undefined },
    };
    this.#member = new Member({ url, name: this.name, logId: `log-${this.name}`, from: 0 }, ports);
  }

  get isReady(): boolean {
    return this.#member.status().published_seq !== null;
  }

  /** @returns The id of the question. */
  ask(): string {
    const session = this.#sessions[this.#asked % this.#sessions.length] as Session;
    const id = `itm_${this.name}x${this.#asked++}`;
    this.#open.set(id, { ...this.#item, id, session_id: session.id, session_name: session.name });
    this.#append('item_opened', session.id, id);
    void setTimeout(OPEN_MS).then(() => {
      this.#open.delete(id);
      this.#append('item_answered', session.id, id);
    });
    return id;
  }

  close(): Promise<void> {
    return this.#member.close();
  }

  #append(event_type: string, session_id: string, item_id: string): void {
    const seq = this.#lines.length + 1;
    const event = { seq, event_type, timestamp: new Date().toISOString(), session_id, item_id };
    this.#lines.push({ seq, line: JSON.stringify(event) });
    this.#wake();
  }

  #reader(since: number, signal: AbortSignal): LogReader {
    let at = since;
    signal.addEventListener('abort', () => this.#wake(), { once: true });
    return {
      read: async () => {
        while (at >= this.#lines.length && !signal.aborted) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
        const lines = this.#lines.slice(at);
        at = this.#lines.length;
        return signal.aborted ? null : lines;
      },
    };
  }
}

const assignment = JSON.parse(process.argv[2] ?? '') as Assignment; // from fleet.ts
const tell = (message: FromFleet): void => void process.send?.(message);
let isStopped = false;
const machines: ScriptedMachine[] = [];

process.on('message', (message: ToFleet) => {
  if (message.kind === 'ask') void ask(message.perMinute);
  else {
    isStopped = true;
    void Promise.all(machines.map((machine) => machine.close())).then(() => process.exit(0));
  }
});
process.on('disconnect', () => process.exit(0));

/** Connects a few at a time, as machines do that are switched on one after the other. */
const AT_A_TIME = 25;
for (let at = 0; at < assignment.count; at++) {
  machines.push(new ScriptedMachine(assignment.from + at, assignment));
  while (machines.filter((machine) => !machine.isReady).length >= AT_A_TIME) await setTimeout(20);
}
while (machines.some((machine) => !machine.isReady)) await setTimeout(50);
tell({ kind: 'ready' });

async function ask(perMinute: number): Promise<void> {
  let state = assignment.seed;
  while (!isStopped) {
    await setTimeout(60_000 / perMinute);
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    const machine = machines[state % machines.length] as ScriptedMachine;
    const at = Date.now();
    tell({ kind: 'asked', id: machine.ask(), at });
  }
}
