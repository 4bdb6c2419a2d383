/**
 * The notifier: notifies the person of items that no person has on screen, each once.
 *
 * In:   changes of items; presence of people (presence.ts); time. lifecycle/notify.ts decides.
 * Out:  an `item_notified` event for each, which the TUI and attached terminals show. When it is on disk, the notify
 *       command.
 * One command runs at a time. Items that become due meanwhile, or during quiet hours, are combined in the next run. If
 * the daemon is killed between the event and the command, only the terminals show it: no item is notified twice.
 */
import {
  decideNotify,
  type NotifyRules,
  type NotifyWords,
  notifySummary,
  notifyWords,
  quietLeft,
} from '../../lifecycle/index.js';
import { displayLine, type Item, type NotifyTestOutput } from '../../protocol/index.js';
import type { Log } from '../log.js';
import type { SessionEntry } from '../registry/index.js';
import { createPresences } from './presence.js';
import { runCommand } from './run-command.js';

interface NotifierPorts {
  readonly rules: NotifyRules;
  /** The setting as configured. */
  readonly quietHours: string;
  /** Empty for no command. */
  readonly command: string;
  readonly timeoutMs: number;
  readonly env: NodeJS.ProcessEnv;
  /** The command's ORCHD_SOCKET. */
  readonly socketPath: string;
  readonly log: Log;
  readonly clock: Clock;
}

export interface Clock {
  now(): number;
  /** Returns milliseconds since midnight in local time. */
  timeOfDayMs(): number;
  /** @returns A function that cancels the timer. */
  after(ms: number, then: () => void): () => void;
}

/** The standard input of the command. */
interface NotifyPayload extends NotifyWords {
  readonly items: readonly Item[];
  readonly test: boolean;
}

/** Maximum duration of one timer: timers stop while a machine sleeps, and a clock may be set. */
const MAX_WAIT_MS = 5 * 60_000;

/** Notifies the person of each item once, and runs the notify command. */
export class Notifier {
  readonly #ports: NotifierPorts;
  readonly #presences = createPresences();
  /** Open items that were not notified. */
  readonly #pending = new Map<string, { item: Item; entry: SessionEntry }>();
  /** Items that were announced. The next call of the command contains them. */
  #due: Item[] = [];
  #isRunning = false;
  #isStarted = false;
  #stopTimer: () => void = () => {};
  readonly #end = new AbortController();

  constructor(ports: NotifierPorts) {
    this.#ports = ports;
  }

  /** Returns how many items were not notified yet, and how many wait for the command. */
  get depth(): { readonly pending: number; readonly due: number } {
    return { pending: this.#pending.size, due: this.#due.length };
  }

  /** Called when all sessions were found again: notifications start now. */
  start(known: Iterable<{ item: Item; entry: SessionEntry }>): void {
    for (const { item, entry } of known) this.#take(item, entry);
    this.#isStarted = true;
    this.#look();
  }

  /** Called when a changed item is on disk. */
  onItem(item: Item, entry: SessionEntry): void {
    const before = this.#pending.size;
    this.#take(item, entry);
    if (this.#isStarted && this.#pending.size > before) this.#look();
  }

  /** @returns How long the client counts as present; null for a client that has left. */
  tellPresence(clientId: string, sessionId: string | null, isPresent: boolean): number | null {
    const until = this.#presences.tell(clientId, sessionId, isPresent, this.#ports.clock.now());
    if (this.#isStarted) this.#look();
    return until;
  }

  /** Runs the command once with a test notification. */
  async test(): Promise<NotifyTestOutput> {
    const { rules, quietHours, command, clock } = this.#ports;
    const text = 'This is a test: `orchd notify test`.';
    const run = command === '' ? null : await this.#run({ title: 'orchd can reach you', text, items: [], test: true });
    return {
      command: run,
      quiet: { hours: quietHours, now: quietLeft(rules.quiet, clock.timeOfDayMs()) > 0 },
      after_ms: rules.afterMs,
      waiting: this.#pending.size,
      present: this.#presences.current(clock.now()).length,
    };
  }

  close(): void {
    this.#isStarted = false;
    this.#stopTimer();
    this.#end.abort();
  }

  #take(item: Item, entry: SessionEntry): void {
    if (item.state === 'open' && item.notified_at === undefined) this.#pending.set(item.id, { item, entry });
    else this.#pending.delete(item.id);
  }

  #look(): void {
    const { clock } = this.#ports;
    this.#stopTimer();
    const { tell, lookAgainAt } = decideNotify(this.#input());
    for (const item of tell) {
      const known = this.#pending.get(item.id);
      this.#pending.delete(item.id);
      if (known) void this.#tell(item, known.entry);
    }
    if (lookAgainAt === null) return;
    this.#stopTimer = clock.after(Math.min(lookAgainAt - clock.now(), MAX_WAIT_MS), () => this.#look());
  }

  #input() {
    const { clock, rules } = this.#ports;
    const now = clock.now();
    const items = [...this.#pending.values()].map(({ item }) => item);
    return { items, presences: this.#presences.current(now), now, timeOfDayMs: clock.timeOfDayMs(), rules };
  }

  async #tell(item: Item, entry: SessionEntry): Promise<void> {
    const { command, clock, log } = this.#ports;
    if (!entry.openItems().some(({ id }) => id === item.id)) return; // answered; the event is on its way to the disk
    try {
      await entry.apply({ kind: 'notified', itemId: item.id, ...notifyWords(item), time: clock.now() });
    } catch (error) {
      log.error('a notification could not be noted', error, { item_id: item.id });
      return;
    }
    if (command === '') return;
    this.#due.push(item);
    if (!this.#isRunning) void this.#runAll();
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    while (this.#due.length > 0 && !this.#end.signal.aborted) {
      const items = this.#due;
      this.#due = [];
      const words = notifySummary(items.map(notifyWords));
      const { outcome, exit_code, signal, ms, output } = await this.#run({ ...words, items, test: false });
      if (outcome === 'done') continue;
      this.#ports.log.error('the notify command failed', undefined, {
        outcome,
        exit_code,
        signal,
        ms,
        output: displayLine(output),
        item_ids: items.map(({ id }) => id),
      });
    }
    this.#isRunning = false;
  }

  #run(payload: NotifyPayload) {
    const { command, env, socketPath, timeoutMs } = this.#ports;
    const [first] = payload.items;
    const variables = {
      ORCHD_SOCKET: socketPath,
      ORCHD_NOTIFY_TITLE: payload.title,
      ORCHD_NOTIFY_TEXT: payload.text,
      ORCHD_NOTIFY_COUNT: String(payload.items.length),
      ...(first && {
        ORCHD_NOTIFY_ITEM: first.id,
        ORCHD_NOTIFY_TYPE: first.type,
        ORCHD_NOTIFY_SESSION: first.session_id,
        ORCHD_NOTIFY_NAME: displayLine(first.session_name),
      }),
    };
    const stdin = `${JSON.stringify(payload)}\n`;
    return runCommand({ command, env: { ...env, ...variables }, stdin, timeoutMs, signal: this.#end.signal });
  }
}

export const localClock: Clock = {
  now: Date.now,
  timeOfDayMs: () => {
    const now = new Date();
    return ((now.getHours() * 60 + now.getMinutes()) * 60 + now.getSeconds()) * 1000 + now.getMilliseconds();
  },
  after: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};
