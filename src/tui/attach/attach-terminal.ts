/**
 * Attaches the person's terminal to a session, and from there to other sessions: keystrokes go in, output comes out.
 *
 * In:   keystrokes (attach-input.ts) and the terminal's size.
 * Out:  the session's screen, then its output as it arrives. A slow terminal slows down only itself. attach-view.ts
 *       draws the rest of the terminal and restores it.
 * If the daemon goes away, this waits for it. Text typed meanwhile is dropped with a bell; it is never sent late or
 * twice. Does not depend on Ink.
 *
 * The file is long because leaving, a switch to another session, the end of the program and the loss of the daemon
 * race for the same stream: the order in which they win can be read in one place.
 */
import type { DaemonControl, Terminal } from '../../client/index.js';
import { CLOSE, displayLine, type Session, type Size } from '../../protocol/index.js';
import { ownDrafts } from '../effects/drafts.js';
import { openTerminalNotifier, type TerminalNotifier } from '../effects/terminal-notifier.js';
import { ASK_COLOURS, type AttachKeys, attachKeys, prefixName, type TerminalColours } from '../keys/index.js';
import { EMPTY_MODEL, type Model, type ModelInput, reduce } from '../model/model.js';
import { createPaint, type Paint } from '../paint/paint.js';
import { whenOver } from '../paint/terminal-reset.js';
import { plainLine, wordsOf } from '../paint/text.js';
import type { SplitWay } from '../splits/index.js';
import { AttachActs } from './attach-acts.js';
import { AttachInput } from './attach-input.js';
import { KeptScreen } from './attach-kept.js';
import type { AttachOptions } from './attach-options.js';
import { type AttachTarget, openAttachStream } from './attach-target.js';
import { type AttachTransport, type Exit, exitOf, ownTransport, reopenAttachStream } from './attach-transport.js';
import {
  type AttachClipboard,
  AttachView,
  createClipboard,
  guestWords,
  NO_OTHERS,
  type Others,
  statusRow,
} from './display/index.js';
import { AttachOverlays } from './overlays/index.js';

type Leaving =
  | { readonly kind: 'detached'; readonly bySomeone?: true }
  /** The person wants to see another session beside the attached one. */
  | { readonly kind: 'split'; readonly way: SplitWay; readonly other: Pick<Session, 'id' | 'name'> };

/** The end of attaching, and the session that was attached at that time. */
export type AttachEnd = { readonly session: Pick<Session, 'id' | 'name'> } & (
  | Leaving
  | ({ readonly kind: 'ended' } & Exit)
);

const BROKEN = 1006;
const AWAY: readonly number[] = [CLOSE.goingAway, BROKEN, CLOSE.machineLost];
const BELL = '\x07';

/** @throws {OrchdError} The daemon's refusal; ORCHD_DAEMON_UNREACHABLE if no daemon runs at the start. */
export async function attachTerminal(options: AttachOptions): Promise<AttachEnd> {
  const { stdin, stdout } = options.streams ?? process;
  const { session, isReadOnly, hasStatus } = options;
  const attached = new Attached(options, { session, isReadOnly, hasStatus }, stdin, stdout);
  const first = await attached.openFirst(); // opened first, so that a refusal is shown on an unchanged terminal
  const leave = whenOver(() => attached.restore());
  try {
    return await attached.run(first);
  } finally {
    leave();
    await attached.close();
  }
}

class Attached {
  readonly #options: AttachOptions;
  readonly #transport: AttachTransport;
  readonly #stdin: NodeJS.ReadStream;
  readonly #stdout: NodeJS.WriteStream;
  readonly #keys: AttachKeys;
  readonly #key: string;
  readonly #input: AttachInput;
  #colours: TerminalColours = {};
  readonly #over = new AbortController();
  readonly #view: AttachView;
  readonly #overlays: AttachOverlays;
  readonly #acts: AttachActs;
  #target: AttachTarget;
  /** The session that was attached before this one. */
  #last: string | null = null;
  #model: Model = EMPTY_MODEL;
  #sessionSize: Size | null = null;
  /** The other clients of the session. */
  #others: Others = NO_OTHERS;
  /** Null while the daemon is away. */
  #terminal: Terminal | null = null;
  #exit: Exit | null = null;
  /** Null until the first screen is drawn. */
  #notifier: TerminalNotifier | null = null;
  readonly #clipboard: AttachClipboard;
  readonly #paint: Paint;
  /** Set while the program has ended and its last screen is shown. */
  #kept: KeptScreen | null = null;
  #leave: (how: Leaving) => void = () => {};
  readonly #left = new Promise<Leaving>((resolve) => {
    this.#leave = resolve;
  });

  constructor(options: AttachOptions, target: AttachTarget, stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream) {
    this.#options = options;
    this.#transport = options.transport ?? ownTransport(options.client);
    this.#target = target;
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#keys = attachKeys(options.prefix, options.keys);
    this.#key = prefixName(this.#keys.prefix);
    const paint = createPaint(options.env ?? process.env);
    this.#paint = paint;
    this.#view = new AttachView({
      stdout,
      paint,
      status: (columns, notice) => this.#statusRow(columns, notice),
      repaint: () => {
        this.#input.takeWheel();
        void (this.#kept?.paint() ?? this.#terminal?.sendControl({ type: 'repaint' }));
      },
    });
    this.#clipboard = createClipboard(this.#view, options.clipboard === 'write', this.#keys.pressedFor('allow_copy'));
    this.#input = new AttachInput({
      keys: this.#keys,
      hasMouse: options.hasMouse,
      view: this.#view,
      hasStatus: () => this.#target.hasStatus,
      hasScreen: () => this.#terminal !== null || this.#kept !== null,
      lookBack: () => void this.#overlays.copy(this.#target.session.id, 'wheel'),
      run: (action, key, number) => this.#acts.run(action, key, number),
      send: (bytes) => this.#send(bytes),
      tellColours: (colours) => this.#tellColours(colours),
    });
    this.#overlays = new AttachOverlays({
      transport: this.#transport,
      view: this.#view,
      paint,
      prefix: this.#key,
      keys: this.#keys,
      env: options.env ?? process.env,
      model: () => this.#model,
      hasMouse: options.hasMouse,
      held: this.#input.held,
      drafts: options.drafts ?? ownDrafts(options.env ?? process.env),
      go: (session) => this.#acts.goTo(session),
      run: (action) => this.#acts.run(action, '', 0),
      answered: (id) => void this.#acts.answered(id),
      copy: (text) => this.#clipboard.copy(text),
    });
    this.#acts = new AttachActs({
      transport: this.#transport,
      view: this.#view,
      overlays: this.#overlays,
      pressedFor: this.#keys.pressedFor,
      goesOn: options.goesOn,
      model: () => this.#model,
      target: () => this.#target,
      last: () => this.#last,
      isReadOnly: () => this.#isReadOnly,
      switchTo: (change, isAsked) => this.#input.held.during(() => this.#switchTo(change, isAsked)),
      detach: () => this.#leave({ kind: 'detached' }),
      isInSplit: options.isInSplit ?? false,
      split: (way, other) => this.#leave({ kind: 'split', way, other }),
      take: () => void this.#terminal?.sendControl({ type: 'take' }),
      allowCopy: () => this.#clipboard.allow(),
      detachOthers: () => void this.#terminal?.sendControl({ type: 'detach_others' }),
      hasOthers: () => this.#others.others + this.#others.readers > 0,
    });
  }

  openFirst(): Promise<Terminal> {
    return this.#options.first?.terminal ?? this.#open(this.#target);
  }

  async run(first: Terminal): Promise<AttachEnd> {
    const asked = this.#options.first?.size;
    this.#begin();
    const size = this.#view.window();
    // The terminal may have been resized while this module was loading, for example by a window manager that arranges
    // new windows. No resize event was handled until now.
    if (asked && (asked.cols !== size.cols || asked.rows !== size.rows)) {
      void first.sendControl({ type: 'resize', ...size });
    }
    if (this.#options.detachesOthers) void first.sendControl({ type: 'detach_others' });
    for (let terminal = first; ; ) {
      this.#show(terminal);
      const end = await Promise.race([this.#left, terminal.ended]);
      const { session } = this.#target;
      if ('kind' in end) return { session, ...end };
      if (this.#terminal !== null && this.#terminal !== terminal) {
        terminal = this.#terminal; // The user has switched to another session.
        continue;
      }
      this.#terminal = null;
      this.#follow();
      if (!AWAY.includes(end.code)) {
        const exit = this.#exit ?? (await exitOf(this.#transport, session.id, end));
        const elsewhere =
          this.#options.isKept || this.#acts.hasActed ? await this.#stay(exit) : await this.#input.swallow(this.#left);
        if (isLeaving(elsewhere) && elsewhere.kind === 'split') return { session: this.#target.session, ...elsewhere };
        if (elsewhere === null || isLeaving(elsewhere))
          return { kind: 'ended', session: this.#target.session, ...exit };
        terminal = elsewhere;
        continue;
      }
      const say = (why: string): void =>
        this.#view.say(this.#transport.awayNotice(why, `${this.#keys.pressedFor('detach')} leaves`), true);
      say(end.reason || 'its connection has ended');
      const next = await reopenAttachStream(this.#transport, () => this.#open(this.#target), say, this.#left);
      if (!isLeaving(next)) this.#view.unsay();
      if (isLeaving(next)) return { session, ...next };
      terminal = next;
    }
  }

  /** Resolves when the daemon knows that this terminal is detached. */
  async close(): Promise<void> {
    await this.#notifier?.close();
  }

  restore(): void {
    this.#over.abort();
    this.#stdin.off('data', this.#onInput);
    this.#stdin.off('end', this.#onHangup);
    this.#stdout.off('resize', this.#onResize);
    this.#stdin.pause();
    this.#stdin.setRawMode?.(false);
    this.#terminal?.close();
    this.#terminal = null;
    this.#view.restore();
  }

  // ── the stream ────────────────────────────────────────────────────────────────────────────────────────────────────

  #begin(): void {
    this.#enter();
    this.#stdin.setRawMode?.(true);
    this.#view.send(ASK_COLOURS);
    this.#stdin.on('data', this.#onInput);
    this.#stdin.on('end', this.#onHangup);
    this.#stdin.resume();
    this.#stdout.on('resize', this.#onResize);
  }

  /** Subscribes to the model and to notifications. This starts after the first screen, which the person waits for. */
  #follow(): void {
    if (this.#notifier) return;
    const { client, env = process.env, notify: setting } = this.#options;
    const session = (): string => this.#target.session.id;
    const streams = { stdin: this.#stdin, stdout: this.#stdout };
    this.#notifier = openTerminalNotifier({ client, env, setting, session, ...streams });
    const take = (input: ModelInput): void => {
      if (this.#over.signal.aborted) return;
      this.#model = reduce(this.#model, input);
      this.#kept?.hear(this.#model);
      this.#view.drawStatus();
    };
    void this.#transport.follow(take, () => this.#model.lastSeq, this.#over.signal);
  }

  #enter(): void {
    const { session, hasStatus } = this.#target;
    this.#view.enter(`${this.#placed(session.name)} — orchd (${this.#key} d detaches)`, hasStatus);
  }

  #open(target: AttachTarget): Promise<Terminal> {
    return openAttachStream(this.#transport, this.#view.window(target.hasStatus), target);
  }

  #show(terminal: Terminal): void {
    this.#terminal = terminal;
    this.#others = NO_OTHERS;
    this.#clipboard.forget();
    this.#exit = null;
    void terminal.sendControl({ type: 'colours', ...this.#colours });
    this.#view.covered(); // the stream begins with a complete screen
    terminal.onControl((message) => {
      if (this.#terminal === terminal) this.#onControl(message);
    });
    terminal.onBytes((bytes) => {
      // Output that arrives below an overlay is dropped, because the whole screen is requested when the overlay closes.
      if (this.#terminal !== terminal || this.#view.isOverlaid) return;
      const isRoomy = this.#view.write(bytes);
      if (this.#target.hasStatus) this.#view.send(this.#input.wrote(bytes));
      this.#follow();
      this.#notifier?.wrote(bytes);
      if (isRoomy) return;
      terminal.pause();
      this.#stdout.once('drain', () => terminal.resume());
    });
  }

  #onControl(message: DaemonControl): void {
    if (message.type === 'size') {
      this.#sessionSize = { cols: message.cols, rows: message.rows };
      this.#view.drawStatus();
    } else if (message.type === 'clients') {
      this.#others = message;
      this.#view.drawStatus();
    } else if (message.type === 'detached') {
      this.#leave({ kind: 'detached', bySomeone: true });
    } else if (message.type === 'refused') {
      this.#view.send(BELL);
      this.#view.say(displayLine(message.error));
    } else if (message.type === 'clipboard') this.#clipboard.take(message.data);
    else if (message.type === 'exit') {
      this.#exit = { state: message.state, exitCode: message.exit_code ?? null, signal: message.signal ?? null };
    }
  }

  /**
   * Shows the last screen after the program has ended.
   * @returns The next stream to show; null to leave.
   */
  async #stay(exit: Exit): Promise<Terminal | Leaving | null> {
    const { env = process.env } = this.#options;
    const { id: sessionId } = this.#target.session;
    const client = this.#transport;
    // A program is not restarted on another machine, because it would get the environment of this one.
    const isReadOnly = this.#isReadOnly || client.machine !== null;
    const about = { client, env, view: this.#view, paint: this.#paint, sessionId, exit, isReadOnly };
    const kept = new KeptScreen({ ...about, attach: () => this.#switchTo({}) });
    this.#kept = kept;
    kept.hear(this.#model);
    const next = await Promise.race([kept.over, this.#left]);
    kept.close();
    this.#kept = null;
    return next;
  }

  // ── what is typed ─────────────────────────────────────────────────────────────────────────────────────────────────

  readonly #onInput = (chunk: Buffer): void => this.#input.push(chunk);

  #send(bytes: Buffer): void {
    if (this.#kept) this.#kept.push(bytes);
    else if (this.#isReadOnly || this.#terminal === null) this.#refuse();
    else void this.#terminal.sendBytes(bytes);
  }

  /** Rings the bell and says why. Without a connection, the notice about it stays. */
  #refuse(): void {
    this.#view.send(BELL);
    if (this.#terminal !== null) this.#acts.sayReadOnly();
  }

  #tellColours(colours: TerminalColours): void {
    this.#colours = { ...this.#colours, ...colours };
    void this.#terminal?.sendControl({ type: 'colours', ...this.#colours });
  }

  readonly #onHangup = (): void => this.#leave({ kind: 'detached' });

  readonly #onResize = (): void => {
    this.#view.resized();
    void this.#kept?.paint();
    void this.#terminal?.sendControl({ type: 'resize', ...this.#view.window() });
  };

  /** True if the person asked for it, or if the session has no terminal to type into. */
  get #isReadOnly(): boolean {
    return this.#target.isReadOnly || this.#target.session.mode === 'batch';
  }

  /** Opens another stream, and closes the old one once the new one is open. */
  async #switchTo(change: Partial<AttachTarget>, isAsked = true): Promise<void> {
    const before = this.#terminal;
    if (before === null && !this.#kept) {
      this.#view.send(BELL);
      return;
    }
    const target = { ...this.#target, ...change };
    try {
      const next = await this.#open(target);
      if (!isAsked) this.#input.held.drop();
      if (this.#terminal !== before || this.#over.signal.aborted) {
        next.close();
        return;
      }
      if (target.session.id !== this.#target.session.id) this.#last = this.#target.session.id;
      this.#target = target;
      this.#terminal = next;
      this.#sessionSize = null;
      this.#enter();
      this.#input.takeWheel();
      before?.close();
      this.#kept?.goOn(next);
      if (change.isReadOnly !== undefined)
        this.#view.say(target.isReadOnly ? 'read-only: nothing is typed' : 'what you type is sent');
    } catch (error) {
      // A lost daemon is handled where the end of `before` is awaited.
      this.#input.held.drop();
      this.#view.say(wordsOf(error));
    }
  }

  /** Returns the name of a session, after that of its machine. */
  #placed(name: string): string {
    const { machine } = this.#transport;
    return machine === null ? plainLine(name) : `${machine}/${plainLine(name)}`;
  }

  // ── the status row ─────────────────────────────────────────────────────────────────────────────────────────────────

  #statusRow(columns: number, notice: string | null): string {
    const { session } = this.#target;
    const window = this.#view.window();
    const size = this.#sessionSize;
    const isForeign = size !== null && (size.cols !== window.cols || size.rows !== window.rows);
    const name = this.#model.sessions.find(({ id }) => id === session.id)?.name ?? session.name;
    const foreignSize = isForeign ? size : null;
    const about = { name: this.#placed(name), sessionId: session.id, model: this.#model, prefix: this.#key };
    const { segments } = this.#options;
    return statusRow(
      { ...about, isReadOnly: this.#isReadOnly, foreignSize, guests: guestWords(this.#others), segments, notice },
      columns,
    );
  }
}

const isLeaving = (next: Terminal | Leaving | null): next is Leaving => next !== null && 'kind' in next;
