/**
 * One session in the host: joins a program, its journal, its input and the orders of the daemon.
 *
 * Everything that happens becomes a record here, in one order. Output is collected (output-collector.ts) and always
 * written before any other record. The program is read as far as flow control allows: a FlowWindow beyond what a
 * connected daemon has read, AWAY_CAP_BYTES while no daemon is connected, nothing while the disk is full. At rest it
 * has no timer.
 *
 * The session ends with its program: the rest of its output is read, open writes fail, and the exit record comes after
 * all of that.
 *
 * The file is long because all orders of the daemon meet here: each becomes records in the one order of the journal.
 */
import { OrchdError } from '../protocol/errors.js';
import type { Beat } from './beat.js';
import {
  AWAY_CAP_BYTES,
  type HostSession,
  type PauseReason,
  type ProcessInfo,
  type SpawnRequest,
  type WriteStep,
} from './contract.js';
import { createJournal } from './create-journal.js';
import { FlowWindow } from './flow-window.js';
import { InputQueue, type InputStep } from './input-queue.js';
import type { JournalWriter, JournalWriterOptions } from './journal-writer.js';
import { OutputCollector } from './output-collector.js';
import { Pipes } from './pipes.js';
import type { Program, ProgramExit } from './program.js';
import { Pty } from './pty.js';
import type { JournalEntry } from './record-codec.js';
import { readTerminalMode, type TerminalMode } from './terminal-mode.js';

/** Notes and the like are refused when so much waits for room on the disk. */
const WAITING_BYTES = 8 * 1024 * 1024;

export interface SessionPorts {
  readonly journals: string;
  /** True while a daemon is connected. */
  readonly isAttended: () => boolean;
  /** True if the watched sessions are known: the daemon reports them, or no daemon is connected. */
  readonly knowsWatched: () => boolean;
  readonly beat: Beat;
  readonly onGrew: (session: Session, when: WhenTold) => void;
  readonly log: (line: string) => void;
  /** Instead of AWAY_CAP_BYTES. */
  readonly awayCapBytes?: number;
  /** Instead of writing to the file. */
  readonly write?: NonNullable<JournalWriterOptions['write']>;
}

/** Output that comes so soon after something was typed may be what the client that typed it waits for. */
const AWAITED_MS = 100;
/** A timer may be early by its resolution. */
const TIMER_MS = 1;

/**
 * Urgency of the notice of an appended record: `now`, because a client watches; `soon`, with the other notices of this
 * turn of the event loop; `later`, with its consequences; `beat`, with the next beat.
 */
export type WhenTold = 'now' | 'soon' | 'later' | 'beat';

/** The daemon's order for ticks. */
interface TickOrder {
  /** An order for one tick ends if output stands behind this position. */
  readonly since: number;
  readonly quietMs: number;
  /** Once for each silence, until there is another order. */
  readonly stays: boolean;
}

export class Session {
  readonly sessionId: string;
  /** Position at which its journal begins, or continues. */
  readonly from: number;
  readonly #ports: SessionPorts;
  readonly #journal: JournalWriter;
  readonly #program: Program;
  readonly #output: OutputCollector;
  readonly #input: InputQueue;
  /** Positions of the writes that were seen, by id. */
  readonly #writes = new Map<string, number>();
  readonly #ended: Promise<void>;
  #end: () => void = () => {};
  /** `leaving`: the program has ended, what it started is being killed; `draining`: the rest of its output is read. */
  #state: 'living' | 'leaving' | 'draining' | 'ended' = 'living';
  #outEnd = 0;
  #taken = 0;
  readonly #window = new FlowWindow();
  #lastReply = { query: -1, position: 0 };
  #tick: TickOrder | null = null;
  /** The order that waits for its time. */
  #armed: TickOrder | null = null;
  /** Nothing was printed since the last tick. */
  #hasTicked = false;
  #isReading = false;
  /** A client sees what it prints as it prints it. */
  #isWatched = false;
  /** Until then, output may be an answer to what was typed. */
  #awaitedUntil = 0;
  /** Pauses that stand in the journal and are not over. */
  readonly #paused = new Set<PauseReason>();
  /**
   * Attempts to kill the session; a second attempt may have a shorter grace period. The exit record waits for their
   * outcome.
   */
  readonly #killings = new Set<Promise<readonly ProcessInfo[]>>();

  /**
   * Starts the program. The start record and notes are in the journal before any output.
   *
   * @throws {OrchdError} ORCHD_NAME_TAKEN, ORCHD_JOURNAL, ORCHD_STORE_FULL, ORCHD_SPAWN_FAILED. No new journal or
   * segment is left behind.
   */
  constructor(request: SpawnRequest, ports: SessionPorts) {
    this.sessionId = request.sessionId;
    this.#ports = ports;
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#journal = createJournal(ports.journals, request, {
      ...(ports.write && { write: ports.write }),
      onStuck: (cause) => this.#onStuck(cause),
      onFreed: () => this.#onFreed(),
    });
    this.from = this.#journal.position;
    try {
      this.#program = this.#start(request);
    } catch (cause) {
      this.#journal.discard();
      throw cause;
    }
    this.#output = new OutputCollector({
      program: this.#program,
      beat: ports.beat,
      isAwaited: () => this.#isAwaited(),
      append: (buffer, bytes, when) => this.#appendOut(buffer, bytes, when),
    });
    this.#input = new InputQueue({ write: (bytes) => this.#program.write(bytes) });
    const { sessionId, argv: command, cwd, cols, rows } = request;
    this.#append({ kind: 'start', sessionId, command, cwd, pid: this.#program.pid, cols, rows });
    for (const { name, data } of request.notes) this.#append({ kind: 'note', name, data });
    if (request.stdin !== undefined) this.#feed(request.stdin);
    this.#flow();
  }

  get pid(): number {
    return this.#program.pid;
  }
  /** How far the journal has grown, in whole records on disk. */
  get position(): number {
    return this.#journal.written;
  }
  get isEnded(): boolean {
    return this.#state === 'ended';
  }
  /** Resolves when the exit record is appended. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  describe(): HostSession {
    return { sessionId: this.sessionId, pid: this.pid, position: this.position, exited: this.isEnded };
  }

  write(writeId: string, steps: readonly WriteStep[]): { position: number; seen: boolean } {
    const seen = this.#writes.get(writeId);
    if (seen !== undefined) return { position: seen, seen: true };
    this.#needTerminal();
    const text = steps.map((step) => ('text' in step ? step.text : '')).join('');
    const length = Buffer.byteLength(text);
    this.#input.reserve(length);
    const fields = { writeId, text, length, submits: submits(text) };
    const { position } = this.#append({ kind: 'input', phase: 'begin', ...fields });
    this.#writes.set(writeId, position);
    this.#await();
    const inputs = steps.map((step): InputStep => ('text' in step ? { bytes: Buffer.from(step.text) } : step));
    const done = (isDone: boolean) => {
      this.#append({ kind: 'input', phase: isDone ? 'end' : 'failed', ...fields });
    };
    this.#input.push({ id: writeId, steps: inputs, done });
    return { position, seen: false };
  }

  proceed(writeId: string): void {
    this.#input.proceed(writeId);
  }

  keys(text: string): { position: number } {
    this.#needTerminal();
    const bytes = Buffer.from(text);
    this.#input.reserve(bytes.length);
    const fields = { phase: 'keys', writeId: null, text: null, length: bytes.length, submits: submits(text) } as const;
    this.#await();
    // Type first, because a person waits. The record still comes before the echo, which is not read before the next
    // turn.
    this.#input.push({ steps: [{ bytes }], done: () => {} });
    const { position } = this.#append({ kind: 'input', ...fields }, 'later');
    return { position };
  }

  reply(query: number, text: string): { position: number; seen: boolean } {
    if (query <= this.#lastReply.query) return { position: this.#lastReply.position, seen: true };
    this.#needTerminal();
    const bytes = Buffer.from(text);
    this.#input.reserve(bytes.length);
    const { position } = this.#append({ kind: 'reply', query, text });
    this.#lastReply = { query, position };
    this.#await();
    this.#input.push({ steps: [{ bytes }], done: () => {} });
    return { position, seen: false };
  }

  resize(cols: number, rows: number): { position: number } {
    this.#needLiving();
    // The record first: whatever is drawn for the new size stands after it.
    const { position } = this.#append({ kind: 'resize', cols, rows });
    this.#program.resize(cols, rows);
    return { position };
  }

  /** Notes are taken after the exit as well: a transcript's last lines may come late. */
  note(name: string, data: unknown): { position: number } {
    if (this.#journal.waitingBytes > WAITING_BYTES) {
      throw new OrchdError('ORCHD_STORE_FULL', `the disk is full, and the journal of ${this.sessionId} waits for room`);
    }
    const { position } = this.#append({ kind: 'note', name, data });
    return { position };
  }

  tick(order: TickOrder | null): void {
    this.#dropTick();
    this.#tick = order;
    this.#armTick();
  }

  taken(position: number): void {
    this.#taken = Math.max(this.#taken, Math.min(position, this.#journal.position));
    this.#window.took(this.#taken, this.#unread);
    this.#flow();
  }

  /** The daemon has come or gone: for a new one no client watches yet, and it has given no orders. */
  attend(): void {
    this.#dropTick();
    this.watch(false);
    this.#flow();
  }

  get isWatched(): boolean {
    return this.#isWatched;
  }

  watch(isWatched: boolean): void {
    this.#isWatched = isWatched;
    if (this.#isAwaited()) this.#output.quicken();
  }

  async terminal(): Promise<TerminalMode> {
    return readTerminalMode(this.#needTerminal());
  }

  /**
   * Ends with whatever `end` does to the processes.
   *
   * @returns What survived, once the exit record stands.
   */
  async kill(end: () => Promise<readonly ProcessInfo[]>, patienceMs: number): Promise<readonly ProcessInfo[]> {
    const killing = end();
    if (this.isEnded) return killing;
    this.#killings.add(killing);
    const escaped = await killing;
    // A leader that even KILL does not end: say so rather than wait for ever.
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((done) => {
      timer = setTimeout(done, patienceMs);
    });
    await Promise.race([this.#ended, patience]);
    clearTimeout(timer);
    this.#killings.delete(killing);
    return escaped;
  }

  /** Closes the journal; nothing can be appended after that. */
  close(): void {
    this.#dropTick();
    const { waitingBytes } = this.#journal;
    if (waitingBytes > 0) this.#ports.log(`${this.sessionId}: ${waitingBytes} bytes of the journal wait for room`);
    this.#journal.close();
  }

  #start(request: SpawnRequest): Program {
    const handlers = {
      onBytes: (bytes: Buffer) => this.#onBytes(bytes),
      onExit: (exit: ProgramExit) => void this.#onExit(exit),
    };
    if (request.mode !== 'batch') return new Pty(request, handlers);
    const onErrorText = (text: string, dropped: number): void => {
      this.#append({ kind: 'note', name: 'stderr', data: dropped > 0 ? { text, dropped } : { text } });
      this.#flow();
    };
    return new Pipes(request, { ...handlers, onErrorText });
  }

  /** Its whole standard input, and the end of it. No Enter is pressed there. */
  #feed(text: string): void {
    const bytes = Buffer.from(text);
    const fields = { writeId: 'stdin', text, length: bytes.length, submits: false };
    this.#append({ kind: 'input', phase: 'begin', ...fields });
    const done = (isDone: boolean) => {
      this.#program.endInput();
      this.#append({ kind: 'input', phase: isDone ? 'end' : 'failed', ...fields });
    };
    this.#input.push({ steps: [{ bytes }], done });
  }

  // ── output ────────────────────────────────────────────────

  #onBytes(bytes: Buffer): void {
    this.#output.read(bytes);
    this.#flow();
  }

  /** True while what it prints is to be told at once. */
  #isAwaited(): boolean {
    if (this.#isWatched || !this.#ports.knowsWatched() || this.#state !== 'living') return true;
    return this.#awaitedUntil > 0 && performance.now() < this.#awaitedUntil;
  }

  /** Something is typed. */
  #await(): void {
    this.#awaitedUntil = performance.now() + AWAITED_MS;
    this.#output.quicken();
  }

  #appendOut(buffer: Buffer, bytes: number, when: 'at_once' | 'beat'): void {
    this.#outEnd = this.#journal.appendOut(buffer, bytes).end;
    this.#hasTicked = false;
    this.#armTick();
    this.#input.nudge();
    const atOnce = this.#isWatched ? 'now' : 'soon';
    this.#ports.onGrew(this, when === 'beat' ? 'beat' : atOnce);
  }

  #append(entry: JournalEntry, when: WhenTold = 'soon'): { position: number; end: number } {
    this.#output.flush();
    const place = this.#journal.append(entry);
    this.#ports.onGrew(this, when);
    return place;
  }

  // ── flow control ────────────────────────────────────────────────

  get #unread(): number {
    return this.#journal.position + this.#output.bytes - this.#taken;
  }

  /** Reads or rests, by what is unread and whether the disk takes it. */
  #flow(): void {
    if (this.#state === 'draining' || this.#state === 'ended') return;
    const isAttended = this.#ports.isAttended();
    const window = isAttended ? this.#window.bytes : (this.#ports.awayCapBytes ?? AWAY_CAP_BYTES);
    const isFull = this.#unread >= window;
    const mayRead = !isFull && !this.#journal.isStuck;
    if (isFull && !isAttended) this.#showPause('journal_full');
    else if (mayRead) this.#showGoingOn('journal_full');
    if (mayRead === this.#isReading) return;
    this.#isReading = mayRead;
    if (!mayRead) {
      this.#output.pause();
      return;
    }
    this.#output.resume();
    this.#armTick();
  }

  #onStuck(cause: unknown): void {
    this.#ports.log(`${this.sessionId}: the journal cannot be written, the program waits: ${String(cause)}`);
    this.#showPause('disk_full');
    this.#flow();
  }

  #onFreed(): void {
    this.#ports.log(`${this.sessionId}: the journal can be written again`);
    this.#showGoingOn('disk_full');
    this.#ports.onGrew(this, 'soon');
    this.#flow();
  }

  #showPause(reason: PauseReason): void {
    if (this.#paused.has(reason)) return;
    this.#paused.add(reason);
    this.#append({ kind: 'pause', paused: true, reason });
  }

  #showGoingOn(reason: PauseReason): void {
    if (this.#paused.delete(reason)) this.#append({ kind: 'pause', paused: false, reason });
  }

  // ── ticks ────────────────────────────────────────────────

  /** Waits until it has been quiet for long enough, counted from the last output. One wait serves many outputs. */
  #armTick(): void {
    const tick = this.#tick;
    if (!tick || this.#armed === tick || this.#hasTicked || this.#state !== 'living') return;
    this.#armed = tick;
    this.#ports.beat.at(this.#output.appendedAt + tick.quietMs, () => this.#onTick(tick));
  }

  #onTick(tick: TickOrder): void {
    if (this.#armed !== tick) return; // there is another order
    this.#armed = null;
    // While the host does not read, quiet is unknown. The order is checked again when reading continues.
    if (!this.#isReading) return;
    if (tick.stays) {
      const quietMs = performance.now() - this.#output.appendedAt + TIMER_MS;
      if (quietMs < tick.quietMs || this.#isNoisy()) {
        this.#armTick();
        return;
      }
      this.#hasTicked = true;
    } else {
      this.#tick = null;
      if (this.#outEnd > tick.since || this.#isNoisy()) return;
    }
    this.#append({ kind: 'tick', quietMs: tick.quietMs });
  }

  /** True if there is output that does not stand in the journal. Reads it. */
  #isNoisy(): boolean {
    return this.#output.bytes > 0 || this.#program.poll() > 0;
  }

  // ── the end ────────────────────────────────────────────────

  async #onExit(exit: ProgramExit): Promise<void> {
    this.#dropTick();
    this.#state = 'leaving';
    this.#output.quicken();
    let escaped: readonly ProcessInfo[] = [];
    for (const killing of this.#killings) escaped = await killing;
    this.#state = 'draining';
    await this.#program.drain();
    this.#output.flush();
    const leftOpen = await this.#program.close();
    this.#input.end();
    this.#append({ kind: 'exit', ...exit, leftOpen, escaped });
    this.#state = 'ended';
    this.#end();
  }

  #dropTick(): void {
    this.#armed = null;
    this.#tick = null;
    this.#hasTicked = false;
  }

  #needLiving(): void {
    if (this.#state !== 'living') throw new OrchdError('ORCHD_SESSION_ENDED', `${this.sessionId} has ended`);
  }

  /** @returns Its path. One on pipes was given its whole input at its start. */
  #needTerminal(): string {
    this.#needLiving();
    const { path } = this.#program;
    if (path === null) throw new OrchdError('ORCHD_NO_TERMINAL', `${this.sessionId} runs on pipes, without a terminal`);
    return path;
  }
}

/** True if the text holds an Enter. */
const submits = (text: string): boolean => /[\r\n]/.test(text);
