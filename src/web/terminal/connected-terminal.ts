/**
 * An xterm.js terminal in an element of the page, with the stream of one session.
 *
 * It opens the stream again if another machine cannot be reached for a while, and keeps the last screen meanwhile.
 * `close` ends the stream and removes the terminal.
 */
import { FitAddon } from '@xterm/addon-fit';
import type { Terminal } from '@xterm/xterm';
import { CLOSE } from '../../protocol/index.js';
import type { Theme } from '../browser/theme.js';
import type { Channel, Channels, StreamMessage } from '../live/channels.js';
import { createTerminal, fontFor } from './create-terminal.js';
import { TERMINAL_THEMES } from './terminal-theme.js';

interface ConnectedSession {
  readonly session: string;
  /** The machine of the hub that has the session. Undefined: this one. */
  readonly machine: string | undefined;
  /** True if the session gets the size of the element, and the keys of the person. */
  readonly isInControl: boolean;
  /** Lines that can be scrolled back. */
  readonly scrollback: number;
  readonly isReadable: boolean;
}

/** Values that may change while the stream is open. The functions are those of `LiveTerminal`. */
interface Surroundings {
  readonly label: string;
  readonly theme: Theme;
  readonly onLeave?: () => void;
  readonly onClosed?: (reason: string, isLost: boolean) => void;
  readonly onShown?: () => void;
}

/** The close codes of a stream whose machine cannot be reached, and refusals for the same reason. */
const LOST: readonly number[] = [CLOSE.machineLost, CLOSE.goingAway];
const AWAY: readonly string[] = ['ORCHD_MACHINE_AWAY', 'ORCHD_HUB_UNREACHABLE'];

const RESIZE_PAUSE_MS = 80;
/** Pause before a machine that cannot be reached is tried again. */
const RETRY_MS = 3_000;
const CONTROL_FONT_PX = 13;

export class ConnectedTerminal {
  readonly #element: HTMLElement;
  readonly #channels: Channels;
  readonly #how: ConnectedSession;
  readonly #latest: () => Surroundings;
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #sizes: ResizeObserver;
  #channel: Channel | null = null;
  #resizing: ReturnType<typeof setTimeout> | undefined;
  #retrying: ReturnType<typeof setTimeout> | undefined;

  constructor(element: HTMLElement, channels: Channels, how: ConnectedSession, latest: () => Surroundings) {
    const { isInControl, scrollback, isReadable } = how;
    const { label, theme } = latest();
    this.#element = element;
    this.#channels = channels;
    this.#how = how;
    this.#latest = latest;
    this.#terminal = createTerminal(element, theme, {
      scrollback,
      disableStdin: !isInControl,
      cursorBlink: isInControl,
      fontSize: CONTROL_FONT_PX,
      screenReaderMode: isReadable,
    });
    this.#terminal.loadAddon(this.#fit);
    const { textarea } = this.#terminal;
    textarea?.setAttribute('aria-label', `Terminal of ${label}`);
    if (textarea) textarea.disabled = !isInControl; // Otherwise the terminal would take the keys of the page.
    this.#connect();
    if (isInControl) this.#takeInput();
    else element.addEventListener('keydown', this.#scroll);
    this.#sizes = new ResizeObserver(() => {
      clearTimeout(this.#resizing);
      this.#resizing = setTimeout(() => this.#resize(), RESIZE_PAUSE_MS);
    });
    this.#sizes.observe(element);
    this.#draw();
  }

  /** Shows the theme of the page. A session in control is told its colours. */
  paint(theme: Theme): void {
    this.#terminal.options.theme = TERMINAL_THEMES[theme];
    if (this.#how.isInControl) this.#channel?.tell(coloursOf(theme));
  }

  close(): void {
    clearTimeout(this.#resizing);
    clearTimeout(this.#retrying);
    this.#element.removeEventListener('keydown', this.#scroll);
    this.#sizes.disconnect();
    this.#channel?.close();
    this.#terminal.dispose();
  }

  // ── the stream ─────────────────────────────────────────────────────────────────────────────────────────────────────

  #connect(): void {
    const { session, machine } = this.#how;
    let [isNew, isRefused] = [true, false];
    const begin = (): void => {
      if (isNew) this.#begin();
      isNew = false;
    };
    this.#channel = this.#channels.open(session, () => this.#query(), {
      isElsewhere: machine !== undefined,
      onBegin: () => {
        isNew = true;
      },
      onBytes: (bytes, taken) => {
        begin();
        this.#terminal.write(bytes, taken);
      },
      onMessage: (message) => {
        if (message.type === 'refused') {
          isRefused = true;
          this.#end(message.error, AWAY.includes(message.code));
        }
        if (message.type !== 'size') return;
        begin();
        this.#takeSize(message);
      },
      onClosed: (reason, code) => {
        if (!isRefused) this.#end(reason, LOST.includes(code)); // else it was told before, in words
      },
    });
  }

  #query(): string {
    const { machine, isInControl } = this.#how;
    const where = machine === undefined ? '' : `&machine=${encodeURIComponent(machine)}`;
    if (!isInControl) return `mode=attach&read_only=true${where}`;
    this.#fit.fit();
    return `mode=attach&cols=${this.#terminal.cols}&rows=${this.#terminal.rows}${where}`;
  }

  #begin(): void {
    this.#terminal.reset();
    this.#element.dataset['stream'] = 'open';
    this.#latest().onShown?.();
  }

  #end(reason: string, isLost: boolean): void {
    this.#element.dataset['stream'] = 'closed';
    this.#latest().onClosed?.(reason, isLost);
    if (isLost) this.#retrying = setTimeout(() => this.#connect(), RETRY_MS);
  }

  #takeSize({ cols, rows }: Extract<StreamMessage, { readonly type: 'size' }>): void {
    if (this.#terminal.cols !== cols || this.#terminal.rows !== rows) this.#terminal.resize(cols, rows);
    if (this.#how.isInControl) this.#channel?.tell(coloursOf(this.#latest().theme));
    else this.#draw();
  }

  // ── the page ───────────────────────────────────────────────────────────────────────────────────────────────────────

  #draw(): void {
    if (this.#how.isInControl) this.#fit.fit();
    else this.#terminal.options.fontSize = fontFor(this.#element, this.#terminal);
  }

  #resize(): void {
    const before = [this.#terminal.cols, this.#terminal.rows];
    this.#draw();
    const { cols, rows } = this.#terminal;
    if (this.#how.isInControl && (before[0] !== cols || before[1] !== rows))
      this.#channel?.tell({ type: 'resize', cols, rows });
  }

  #takeInput(): void {
    const encoder = new TextEncoder();
    this.#terminal.onData((text) => this.#channel?.type(encoder.encode(text)));
    this.#terminal.onBinary((text) => this.#channel?.type(Uint8Array.from(text, (char) => char.charCodeAt(0))));
    this.#terminal.attachCustomKeyEventHandler((event) => {
      const isLeaving = event.ctrlKey && event.shiftKey && event.key.toLowerCase() === 'l';
      if (isLeaving && event.type === 'keydown') this.#latest().onLeave?.();
      return !isLeaving;
    });
    this.#terminal.focus();
  }

  readonly #scroll = (event: KeyboardEvent): void => {
    const pages = event.key === 'PageUp' ? -1 : event.key === 'PageDown' ? 1 : 0;
    if (pages === 0) return;
    event.preventDefault();
    this.#terminal.scrollPages(pages);
  };
}

/** Returns the page's colours, for programs that query them. */
function coloursOf(theme: Theme): object {
  const { foreground, background } = TERMINAL_THEMES[theme];
  const spec = (colour: string): string => `rgb:${[1, 3, 5].map((at) => colour.slice(at, at + 2).repeat(2)).join('/')}`;
  return { type: 'colours', foreground: spec(foreground), background: spec(background) };
}
