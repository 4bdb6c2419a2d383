/**
 * The commands between this machine and others, on disk: those that it has sent, and those that it has carried out.
 *
 * The file has one JSON object a line (mode 0600):
 *
 *   {"kind":"sent", "id", "to", "by", "operation", "input", "at", "message"}    `message` is the signed command
 *   {"kind":"taken", "id", "by", "delivery"}                                    the machine that has begun it
 *   {"kind":"settled", "id", "at", "outcome"}                                   what became of a command that was sent
 *   {"kind":"offered", "id", "offered"}                                         where a command for a label is queued
 *   {"kind":"held", "from", "id", "reply", "proof", "expires_at"}               work for a label, taken by this machine
 *   {"kind":"released", "from", "id"}                                           such work is over, or not held any more
 *   {"kind":"begun", "from", "id", "expires_at"}                                a command of another machine, until it
 *                                                                               is done
 *   {"kind":"done", "from", "id", "expires_at", "outcome"}                      its outcome
 *
 * `append` resolves when the line is on disk. A line that a crash has cut is left out. When the file is opened, and
 * when it has many lines that are not needed any more, it is written anew: without settled commands beyond MAX_SETTLED,
 * and without commands of others that have expired, because their copies are refused by their age.
 */
import { existsSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { readOwnFile } from '../../host/index.js';
import type { Delivery, Offered, Outcome } from '../../hub/index.js';
import { errorMessage, OrchdError } from '../../protocol/index.js';

interface SentCommand {
  readonly id: string;
  readonly to: string;
  readonly by: string;
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** RFC 3339. */
  readonly at: string;
  /** The signed command as JSON. */
  readonly message: string;
}

interface Settlement {
  /** RFC 3339. */
  readonly at: string;
  readonly outcome: Outcome;
  /** True if this machine has withdrawn the command. */
  readonly isWithdrawn?: true;
}

export interface LoggedCommand extends SentCommand {
  /** Absent while the command is on its way. */
  readonly settled?: Settlement;
  /** The machine that has begun the command last, if the outcome comes later. */
  readonly takenBy?: string;
  /** For a label: the delivery of the queue with which that machine has taken it. */
  readonly delivery?: Delivery;
  /** For a label: where it was queued. */
  readonly offered?: Offered;
}

/** Work for a label that this machine has taken. */
export interface HeldCommand {
  readonly from: string;
  readonly id: string;
  /** The subject on which this machine renews and acknowledges the message of the command. */
  readonly reply: string;
  /** Proves to the machine that has offered the command that this machine has read it. */
  readonly proof: string;
  readonly expires_at: number;
}

interface BegunCommand {
  readonly from: string;
  readonly id: string;
  readonly expires_at: number;
}

interface DoneCommand extends BegunCommand {
  readonly outcome: Outcome;
}

type Line =
  | ({ readonly kind: 'sent' } & SentCommand)
  | { readonly kind: 'taken'; readonly id: string; readonly by: string; readonly delivery?: Delivery }
  | { readonly kind: 'offered'; readonly id: string; readonly offered: Offered }
  | ({ readonly kind: 'held' } & HeldCommand)
  | { readonly kind: 'released'; readonly from: string; readonly id: string }
  | ({ readonly kind: 'settled'; readonly id: string } & Settlement)
  | ({ readonly kind: 'begun' } & BegunCommand)
  | ({ readonly kind: 'done' } & DoneCommand);

/** Number of settled commands that are kept for `orchd hub commands`. */
const MAX_SETTLED = 200;
/** Time after its expiry at which a begun command is forgotten. The server does not deliver it for longer than that. */
const MAX_BEGUN_MS = 7 * 86_400_000;
/** Number of commands of one machine that are remembered, until they expire. */
const MAX_OF_SENDER = 20_000;
/** Number of lines beyond the needed ones before the file is written anew. */
const MAX_SPARE_LINES = 1_000;

/** Maximum number of lines of a command that was sent. */
const LINES_OF_SENT = 4;

const doneKey = (from: string, id: string): string => `${from} ${id}`;

export class CommandLog {
  readonly #file: string;
  /** Returns the time of the server; null if it is not known. */
  readonly #serverTime: () => number | null;
  readonly #sent = new Map<string, LoggedCommand>();
  readonly #done = new Map<string, DoneCommand>();
  /** The number of each machine's commands in `#done`. */
  readonly #countOf = new Map<string, number>();
  readonly #begun = new Map<string, BegunCommand>();
  readonly #held = new Map<string, HeldCommand>();
  #lines = 0;
  #handle: FileHandle | null = null;
  #writing: Promise<unknown> = Promise.resolve();

  /** @throws {OrchdError} ORCHD_FILE if the file cannot be read. */
  constructor(file: string, serverTime: () => number | null) {
    this.#file = file;
    this.#serverTime = serverTime;
    if (existsSync(file)) for (const line of linesOf(file)) this.#apply(line);
  }

  /** The commands that this machine has sent, oldest first. */
  sent(): readonly LoggedCommand[] {
    return [...this.#sent.values()];
  }

  /** Returns the outcome of a command of another machine; null if it was not carried out here. */
  outcomeOf(from: string, id: string): Outcome | null {
    return this.#done.get(doneKey(from, id))?.outcome ?? null;
  }

  /** True if MAX_OF_SENDER commands of a machine are kept: another one must wait until one of them expires. */
  isFull(from: string): boolean {
    if ((this.#countOf.get(from) ?? 0) < MAX_OF_SENDER) return false;
    this.#forget();
    return (this.#countOf.get(from) ?? 0) >= MAX_OF_SENDER;
  }

  /** True if this machine has begun a command of another one, and its outcome is not kept yet. */
  hasBegun(from: string, id: string): boolean {
    return this.#begun.has(doneKey(from, id));
  }

  async begin(command: BegunCommand): Promise<void> {
    if (!this.hasBegun(command.from, command.id)) await this.#append({ kind: 'begun', ...command });
  }

  async send(command: SentCommand): Promise<void> {
    await this.#append({ kind: 'sent', ...command });
  }

  /**
   * Records the outcome of a command. Does nothing if the outcome is known, or if the command was not sent from here.
   */
  async settle(id: string, settlement: Settlement): Promise<void> {
    const command = this.#sent.get(id);
    if (command && command.settled === undefined) await this.#append({ kind: 'settled', id, ...settlement });
  }

  /** Records the machine that has begun a command. Does nothing if that is known. */
  async taken(id: string, by: string, delivery: Delivery | null): Promise<void> {
    const command = this.#sent.get(id);
    const isKnown = command?.takenBy === by && command.delivery?.count === delivery?.count;
    if (command && !isKnown) await this.#append({ kind: 'taken', id, by, ...(delivery && { delivery }) });
  }

  async offered(id: string, offered: Offered): Promise<void> {
    if (this.#sent.has(id)) await this.#append({ kind: 'offered', id, offered });
  }

  /** The work for labels that this machine has taken. */
  held(): readonly HeldCommand[] {
    return [...this.#held.values()];
  }

  isHeld(from: string, id: string): boolean {
    return this.#held.has(doneKey(from, id));
  }

  async hold(work: HeldCommand): Promise<void> {
    await this.#append({ kind: 'held', ...work });
  }

  async release(from: string, id: string): Promise<void> {
    if (this.isHeld(from, id)) await this.#append({ kind: 'released', from, id });
  }

  /** Returns a command that this machine has sent. */
  find(id: string): LoggedCommand | undefined {
    return this.#sent.get(id);
  }

  async carriedOut(command: DoneCommand): Promise<void> {
    await this.#append({ kind: 'done', ...command });
  }

  async close(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.#handle?.close();
  }

  #append(line: Line): Promise<void> {
    const written = this.#writing.then(async () => {
      try {
        if (!this.#handle || this.#lines > this.#mostNeeded() + MAX_SPARE_LINES) await this.#rewrite();
        await this.#handle?.appendFile(`${JSON.stringify(line)}\n`);
        await this.#handle?.datasync();
      } catch (error) {
        await this.#handle?.close().catch(() => undefined);
        this.#handle = null; // a cut line would damage the next one: the file is written anew first
        const reason = errorMessage(error);
        throw new OrchdError('ORCHD_FILE', `${this.#file} cannot be written: ${reason}`, undefined, error);
      }
      this.#apply(line);
    });
    this.#writing = written.catch(() => undefined);
    return written;
  }

  #apply(line: Line): void {
    this.#lines++;
    if (line.kind === 'sent') {
      const { kind: _kind, ...command } = line;
      this.#sent.set(command.id, command);
    } else if (line.kind === 'taken') {
      const command = this.#sent.get(line.id);
      if (command) this.#sent.set(line.id, withTaker(command, line.by, line.delivery));
    } else if (line.kind === 'offered') {
      const command = this.#sent.get(line.id);
      if (command) this.#sent.set(line.id, { ...command, offered: line.offered });
    } else if (line.kind === 'held') {
      const { kind: _kind, ...work } = line;
      this.#held.set(doneKey(work.from, work.id), work);
    } else if (line.kind === 'released') {
      this.#held.delete(doneKey(line.from, line.id));
    } else if (line.kind === 'settled') {
      const { kind: _kind, id, ...settled } = line;
      const command = this.#sent.get(id);
      if (command) this.#sent.set(id, { ...command, settled });
    } else if (line.kind === 'begun') {
      const { kind: _kind, ...command } = line;
      this.#begun.set(doneKey(command.from, command.id), command);
    } else {
      const { kind: _kind, ...command } = line;
      const key = doneKey(command.from, command.id);
      if (!this.#done.has(key)) this.#count(command.from, 1);
      this.#done.set(key, command);
      this.#begun.delete(doneKey(command.from, command.id));
    }
  }

  /** Writes the needed lines to a new file, which takes the place of the old one. */
  async #rewrite(): Promise<void> {
    await this.#handle?.close();
    this.#handle = null;
    this.#forget();
    const lines = this.#needed();
    const next = `${this.#file}.new`;
    const handle = await open(next, 'w', 0o600);
    try {
      await handle.writeFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      await handle.sync();
      await rename(next, this.#file);
    } catch (error) {
      await handle.close();
      throw error;
    }
    this.#handle = handle;
    this.#lines = lines.length;
  }

  #forget(): void {
    const settled = this.sent().filter((command) => command.settled !== undefined);
    for (const { id } of settled.slice(0, Math.max(0, settled.length - MAX_SETTLED))) this.#sent.delete(id);
    const now = this.#serverTime();
    if (now === null) return;
    for (const [key, { from, expires_at }] of this.#done) {
      if (expires_at < now && this.#done.delete(key)) this.#count(from, -1);
    }
    for (const [key, { expires_at }] of this.#begun) if (expires_at + MAX_BEGUN_MS < now) this.#begun.delete(key);
  }

  #count(from: string, change: number): void {
    this.#countOf.set(from, (this.#countOf.get(from) ?? 0) + change);
  }

  /** Returns at least the number of lines in `#needed`, without making them. */
  #mostNeeded(): number {
    return LINES_OF_SENT * this.#sent.size + this.#held.size + this.#begun.size + this.#done.size;
  }

  #needed(): Line[] {
    const sent = this.sent().flatMap(({ settled, takenBy, delivery, offered, ...command }): Line[] => [
      { kind: 'sent', ...command },
      ...(offered ? [{ kind: 'offered', id: command.id, offered } as const] : []),
      ...(takenBy === undefined
        ? []
        : [{ kind: 'taken', id: command.id, by: takenBy, ...(delivery && { delivery }) } as const]),
      ...(settled ? [{ kind: 'settled', id: command.id, ...settled } as const] : []),
    ]);
    const held = this.held().map((work) => ({ kind: 'held', ...work }) as const);
    const begun = [...this.#begun.values()].map((command) => ({ kind: 'begun', ...command }) as const);
    const done = [...this.#done.values()].map((command) => ({ kind: 'done', ...command }) as const);
    return [...sent, ...held, ...begun, ...done];
  }
}

function withTaker(
  { delivery: _before, ...command }: LoggedCommand,
  takenBy: string,
  delivery: Delivery | undefined,
): LoggedCommand {
  return { ...command, takenBy, ...(delivery && { delivery }) };
}

function linesOf(file: string): Line[] {
  let text: string;
  try {
    text = readOwnFile(file);
  } catch (cause) {
    const reason = errorMessage(cause);
    throw new OrchdError('ORCHD_FILE', `${file} cannot be read: ${reason}`, undefined, cause);
  }
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as Line]; // this module wrote the line
    } catch {
      return []; // A crash cut the line before `append` resolved.
    }
  });
}
