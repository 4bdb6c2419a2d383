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
import {
  AWAY_CAP_BYTES,
  type HostSession,
  type PauseReason,
  type ProcessInfo,
  type SpawnRequest,
  type WriteStep,
} from './contract.js';
import { InputQueue, type InputStep } from './input-queue.js';
import { createJournal, type JournalEntry, type JournalWriter, type JournalWriterOptions } from './journal/index.js';
import { type Beat, type FloodScheduler, FlowWindow, OutputCollector } from './output/index.js';
import { Pipes, type Program, type ProgramExit, Pty, readTerminalMode, type TerminalMode } from './program/index.js';

/** While this much data waits for room on the disk, notes and similar records are refused. */
const WAITING_BYTES = 8 * 1024 * 1024;

export interface SessionPorts {
  readonly journals: string;
  /** True while a daemon is connected. */
  readonly isAttended: () => boolean;
  /** True if the watched sessions are known: the daemon reports them, or no daemon is connected. */
  readonly knowsWatched: () => boolean;
  readonly beat: Beat;
  readonly floods: Pick<FloodScheduler, 'personWaits' | 'take' | 'leave'>;
  readonly onGrew: (session: Session, when: NoticeUrgency) => void;
  readonly log: (line: string) => void;
  /** Replaces AWAY_CAP_BYTES in tests. */
  readonly awayCapBytes?: number;
  /** Replaces writing to the file in tests. */
  readonly write?: NonNullable<JournalWriterOptions['write']>;
}

/** Output that arrives within this time after typing is announced at once, because the client may wait for it. */
const AWAITED_MS = 100;
/** Tolerance for timers: they may fire this much too early. */
const TIMER_MS = 1;

/**
 * Urgency of the notice of an appended record: `now`, because a client watches; `soon`, with the other notices of this
 * turn of the event loop; `later`, with its consequences; `beat`, with the next beat.
 */
export type NoticeUrgency = 'now' | 'soon' | 'later' | 'beat';

/** The order that the daemon gave by the command `tick`: report a silence of `quietMs` with a tick record. */
interface TickOrder {
  /** The tick of a single order is omitted if the journal has output after this position. */
  readonly since: number;
  readonly quietMs: number;
  /** True if the order applies to every silence until the next order; false for a single tick. */
  readonly stays: boolean;
}

export class Session {
  readonly sessionId: string;
  /** Position at which the session's part of the journal begins. */
  readonly from: number;
  readonly #ports: SessionPorts;
  readonly #journal: JournalWriter;
  readonly #program: Program;
  readonly #output: OutputCollector;
  readonly #input: InputQueue;
  /** Journal positions of the writes so far, by id. */
  readonly #writes = new Map<string, number>();
  readonly #ended: Promise<void>;
  #end: () => void = () => {};
  /**
   * `leaving`: the program has ended, and the processes it started are being killed. `draining`: the rest of its output
   * is read.
   */
  #state: 'living' | 'leaving' | 'draining' | 'ended' = 'living';
  #outEnd = 0;
  #taken = 0;
  readonly #window = new FlowWindow();
  #lastReply = { query: -1, position: 0 };
  #tick: TickOrder | null = null;
  /** The order for which the timer is running. */
  #armed: TickOrder | null = null;
  /** True if nothing was printed since the last tick. */
  #hasTicked = false;
  #isReading = false;
  /** True while a client shows the session's output as it is printed. */
  #isWatched = false;
  /** Until this time, output may be a reaction to what was typed. */
  #awaitedUntil = 0;
  /** Reasons of the pauses that are recorded in the journal and have not ended. */
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
      floods: ports.floods,
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
  /** End of the whole records of the journal that are in the files. */
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
    this.#ports.floods.personWaits();
    this.#await();
    // The bytes are typed before the record is written, because a person waits. The record still precedes the echo,
    // which is read in a later turn of the event loop.
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
    this.#output.quicken(); // the program may wait for the reply, but no client waits for what it prints then
    this.#input.push({ steps: [{ bytes }], done: () => {} });
    return { position, seen: false };
  }

  resize(cols: number, rows: number): { position: number } {
    this.#needLiving();
    // The record is written first, so that everything drawn for the new size comes after it.
    const { position } = this.#append({ kind: 'resize', cols, rows });
    this.#program.resize(cols, rows);
    return { position };
  }

  /** Notes are accepted after the exit as well: a transcript's last lines may arrive late. */
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

  /** Called when a daemon connects or disconnects. A new daemon has no watched sessions and has given no orders yet. */
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
    if (isWatched) this.#ports.floods.personWaits();
    if (this.#isAwaited()) this.#output.quicken();
  }

  async terminal(): Promise<TerminalMode> {
    return readTerminalMode(this.#needTerminal());
  }

  /**
   * Kills the session by `end`.
   * @returns The processes that survived, after the exit record is appended.
   */
  async kill(end: () => Promise<readonly ProcessInfo[]>, patienceMs: number): Promise<readonly ProcessInfo[]> {
    const killing = end();
    if (this.isEnded) return killing;
    this.#killings.add(killing);
    const escaped = await killing;
    // A timeout, because a leader that is stuck in the kernel does not end even after SIGKILL.
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((done) => {
      timer = setTimeout(done, patienceMs);
    });
    await Promise.race([this.#ended, patience]);
    clearTimeout(timer);
    this.#killings.delete(killing);
    return escaped;
  }

  /** Closes the journal. Nothing can be appended after that. */
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

  /** Writes the whole standard input and closes it. Its record has `submits: false`, because a pipe has no Enter. */
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

  /** True while output must be announced at once. */
  #isAwaited(): boolean {
    if (this.#isWatched || !this.#ports.knowsWatched() || this.#state !== 'living') return true;
    return this.#awaitedUntil > 0 && this.#ports.beat.now() < this.#awaitedUntil;
  }

  /** Called when something is typed. For AWAITED_MS after it, the host reports output to the daemon at once. */
  #await(): void {
    this.#awaitedUntil = this.#ports.beat.now() + AWAITED_MS;
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

  #append(entry: JournalEntry, when: NoticeUrgency = 'soon'): { position: number; end: number } {
    this.#output.flush();
    const place = this.#journal.append(entry);
    this.#ports.onGrew(this, when);
    return place;
  }

  // ── flow control ────────────────────────────────────────────────

  get #unread(): number {
    return this.#journal.position + this.#output.bytes - this.#taken;
  }

  /** Starts or stops reading, depending on the amount of unread output and on the disk. */
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

  /** Starts the timer for the next tick, counted from the last output. One timer serves many outputs. */
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
      const quietMs = this.#ports.beat.now() - this.#output.appendedAt + TIMER_MS;
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

  /** Reads the available output. Returns true if there was any that is not in the journal yet. */
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

  /**
   * @returns The path of the terminal.
   * @throws For a program on pipes, which got its whole input at the start.
   */
  #needTerminal(): string {
    this.#needLiving();
    const { path } = this.#program;
    if (path === null) throw new OrchdError('ORCHD_NO_TERMINAL', `${this.sessionId} runs on pipes, without a terminal`);
    return path;
  }
}

/** True if the text holds an Enter. */
const submits = (text: string): boolean => /[\r\n]/.test(text);
