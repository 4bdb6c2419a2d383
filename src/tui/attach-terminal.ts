/**
 * Attaches the person's terminal to a session: bytes in, bytes out, without a layer between.
 * How to leave stands in the terminal's title until the program sets its own; the screen is the program's alone.
 *
 * In:   keystrokes (the prefix key is ours, see prefix-reader.ts) and the terminal's size.
 * Out:  the session's screen, then its output as it comes; slow terminals slow only themselves.
 * A daemon that is replaced is waited for up to RECONNECT_MS; what is typed meanwhile is dropped with a bell, never sent later or
 * twice. However it ends, the terminal is as it was before. Knows nothing of Ink.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Terminal, TerminalEnd } from '../client/index.js';
import { OrchdError, type Size, type State } from '../protocol/index.js';
import { createPrefixReader, prefixName } from './prefix-reader.js';
import { openTerminalNotifier, type TerminalNotifier } from './terminal-notifier.js';
import { KEEP_TITLE, resetTerminal, setTitle, whenOver } from './terminal-reset.js';
import { plainLine } from './text.js';

export interface AttachOptions {
  readonly client: Client;
  readonly session: string;
  /** `C-]` and the like. */
  readonly prefix: string;
  readonly isReadOnly: boolean;
  /** `notify.terminal`. */
  readonly notify: string;
  /** Standard input and output unless said. */
  readonly streams?: { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream };
}

export type AttachEnd =
  | { readonly kind: 'detached' }
  | {
      readonly kind: 'ended';
      readonly state: State;
      readonly exitCode: number | null;
      /** `SIGKILL` and the like, of a program that a signal ended. */
      readonly signal: string | null;
    };

const RECONNECT_MS = 10_000;
const RETRY_MS = 100;
const NORMAL = 1000;
const DAEMON_STOPS = 1001;
const BROKEN = 1006;
const NOT_ALLOWED = 1008;
const FAILED = 1011;
/** A stream that fails while its program ends is the end's own doing: the end is awaited for so long. */
const END_MS = 1_000;
const BELL = '\x07';

/** @throws {OrchdError} What the daemon refuses, and ORCHD_DAEMON_UNREACHABLE when it does not come back. */
export async function attachTerminal(options: AttachOptions): Promise<AttachEnd> {
  const { stdin, stdout } = options.streams ?? process;
  // Asked first, so that a refusal is said on an untouched terminal.
  const { name } = await options.client.call('session.show', { session: options.session });
  const first = await open(options, stdout);
  const attached = new Attached(options, name, stdin, stdout);
  const leave = whenOver(() => attached.restore());
  try {
    return await attached.run(first);
  } finally {
    leave();
    await attached.notifier.close();
  }
}

const open = ({ client, session, isReadOnly }: AttachOptions, stdout: NodeJS.WriteStream): Promise<Terminal> =>
  client.terminal(session, { mode: 'attach', size: sizeOf(stdout), readOnly: isReadOnly });

const sizeOf = ({ columns, rows }: NodeJS.WriteStream): Size => ({ cols: columns || 80, rows: rows || 24 });

class Attached {
  readonly notifier: TerminalNotifier;
  readonly #options: AttachOptions;
  readonly #stdin: NodeJS.ReadStream;
  readonly #stdout: NodeJS.WriteStream;
  readonly #reader: ReturnType<typeof createPrefixReader>;
  /** Null while the daemon is away. */
  #terminal: Terminal | null = null;
  #exit: Extract<AttachEnd, { kind: 'ended' }> | null = null;
  #isNoticeShown = false;
  #detach: () => void = () => {};
  readonly #detached = new Promise<'detached'>((resolve) => {
    this.#detach = () => resolve('detached');
  });

  constructor(options: AttachOptions, name: string, stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream) {
    this.#options = options;
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#reader = createPrefixReader(options.prefix);
    const { rows } = sizeOf(stdout);
    const title = `${plainLine(name)} — orchd (${prefixName(options.prefix)} d detaches)`;
    // What the person had on the terminal moves up into its scrollback.
    stdout.write(`${KEEP_TITLE}${setTitle(title)}${'\n'.repeat(rows)}\x1b[H`);
    stdin.setRawMode?.(true);
    stdin.on('data', this.#onInput);
    stdin.on('end', this.#onHangup);
    const { client, session, notify: setting } = options;
    this.notifier = openTerminalNotifier({ client, env: process.env, setting, stdin, stdout, session: () => session });
    stdin.resume();
    stdout.on('resize', this.#onResize);
  }

  async run(first: Terminal): Promise<AttachEnd> {
    for (let terminal = first; ; ) {
      this.#show(terminal);
      const end = await Promise.race([terminal.ended, this.#detached]);
      if (end === 'detached') return { kind: 'detached' };
      if (this.#terminal !== null && this.#terminal !== terminal) {
        terminal = this.#terminal; // replaced to paint anew
        continue;
      }
      this.#terminal = null;
      if (end.code !== DAEMON_STOPS && end.code !== BROKEN) return this.#over(end);
      const next = await this.#reopen();
      if (next === 'detached') return { kind: 'detached' };
      terminal = next;
    }
  }

  restore(): void {
    const { rows } = sizeOf(this.#stdout);
    this.#stdin.off('data', this.#onInput);
    this.#stdin.off('end', this.#onHangup);
    this.#stdout.off('resize', this.#onResize);
    this.#stdin.pause();
    this.#stdin.setRawMode?.(false);
    this.#terminal?.close();
    this.#terminal = null;
    this.#stdout.write(`${this.#isNoticeShown ? `\x1b[${rows};1H\x1b[2K` : ''}${resetTerminal(rows)}`);
  }

  #show(terminal: Terminal): void {
    this.#terminal = terminal;
    this.#isNoticeShown = false; // the stream begins with the whole screen
    const isCurrent = (): boolean => this.#terminal === terminal;
    terminal.onControl((message) => {
      if (message.type !== 'exit') return;
      this.#exit = {
        kind: 'ended',
        state: message.state,
        exitCode: message.exit_code ?? null,
        signal: message.signal ?? null,
      };
    });
    terminal.onBytes((bytes) => {
      if (!isCurrent()) return;
      const isRoomy = this.#stdout.write(bytes);
      this.notifier.wrote(bytes);
      if (isRoomy) return;
      terminal.pause();
      this.#stdout.once('drain', () => terminal.resume());
    });
  }

  async #over({ code, reason }: TerminalEnd): Promise<AttachEnd> {
    if (this.#exit) return this.#exit;
    if (code === NORMAL || code === FAILED) {
      const ended = await this.#end();
      if (ended) return ended;
    }
    if (code === NOT_ALLOWED) throw new OrchdError('ORCHD_FORBIDDEN', reason || 'the daemon does not allow this');
    throw new OrchdError('ORCHD_INTERNAL', `the terminal stream ended with ${code}: ${reason || 'no reason given'}`);
  }

  /** How the program ended, by the session's own word; null if it lives. */
  async #end(): Promise<Extract<AttachEnd, { kind: 'ended' }> | null> {
    const { client, session } = this.#options;
    try {
      const input = { session, until: 'exited', timeout_ms: END_MS } as const;
      const { state, exit_code, signal } = await client.call('session.wait', input);
      return { kind: 'ended', state, exitCode: exit_code, signal };
    } catch (error) {
      if (error instanceof OrchdError && error.code === 'ORCHD_TIMEOUT') return null;
      throw error;
    }
  }

  /** The daemon is away: waits until it is there again. */
  async #reopen(): Promise<Terminal | 'detached'> {
    const key = prefixName(this.#options.prefix);
    this.#notice(`the daemon is away; the session goes on. Waiting for it … (${key} d leaves)`);
    for (let waited = 0; ; waited += RETRY_MS) {
      const opening = open(this.#options, this.#stdout);
      try {
        const next = await Promise.race([opening, this.#detached]);
        if (next === 'detached') void opening.then((late) => late.close()).catch(() => {});
        return next;
      } catch (error) {
        const isAway =
          error instanceof OrchdError &&
          (error.code === 'ORCHD_DAEMON_UNREACHABLE' || error.code === 'ORCHD_DAEMON_SILENT');
        if (!isAway || waited >= RECONNECT_MS) throw error;
      }
      if ((await Promise.race([sleep(RETRY_MS), this.#detached])) === 'detached') return 'detached';
    }
  }

  readonly #onInput = (chunk: Buffer): void => {
    if (this.#isNoticeShown) void this.#repaint();
    for (const step of this.#reader.push(chunk)) {
      if (step.kind === 'send') this.#send(step.bytes);
      else if (step.kind === 'detach') this.#detach();
      else if (step.kind === 'help') this.#showHelp();
      else this.#stdout.write(BELL);
    }
  };

  #send(bytes: Buffer): void {
    if (this.#options.isReadOnly || this.#terminal === null) this.#stdout.write(BELL);
    else void this.#terminal.sendBytes(bytes);
  }

  readonly #onHangup = (): void => this.#detach();

  readonly #onResize = (): void => {
    if (!this.#options.isReadOnly) void this.#terminal?.sendControl({ type: 'resize', ...sizeOf(this.#stdout) });
  };

  #showHelp(): void {
    const key = prefixName(this.#options.prefix);
    const readOnly = this.#options.isReadOnly ? ' · read-only: nothing is typed' : '';
    this.#notice(
      `${key} d detaches, the session goes on · ${key} ${key} sends ${key}${readOnly} · any key closes this`,
    );
  }

  /** A line over the bottom of the screen; what it covers comes back with the next painting. */
  #notice(text: string): void {
    const { cols, rows } = sizeOf(this.#stdout);
    this.#isNoticeShown = true;
    this.#stdout.write(`\x1b7\x1b[${rows};1H\x1b[0;7m ${text.slice(0, cols - 2).padEnd(cols - 2)} \x1b[0m\x1b8`);
  }

  /** The whole screen anew: a second stream begins with it, and the first is closed. */
  async #repaint(): Promise<void> {
    const before = this.#terminal;
    if (before === null) return;
    this.#isNoticeShown = false;
    try {
      const next = await open(this.#options, this.#stdout);
      if (this.#terminal === before) this.#terminal = next;
      else next.close();
      before.close();
    } catch {
      // The daemon went away just now: the end of `before` is handled where it is awaited.
    }
  }
}
