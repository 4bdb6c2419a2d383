/**
 * The terminal of a living session.
 *
 * It watches in the session's own size, drawn as large as fits. In control, the session has the size of this window,
 * and keys go to the program. Loaded when first shown: xterm.js is as large as the rest of the page.
 */
import { FitAddon } from '@xterm/addon-fit';
import type { Terminal } from '@xterm/xterm';
import { useEffect, useRef } from 'react';
import { CLOSE } from '../../protocol/index.js';
import { type Theme, useTheme } from '../browser/theme.js';
import type { Channel } from '../live/channels.js';
import { useLive } from '../live/live.js';
import { createTerminal, fontFor } from './create-terminal.js';
import { TERMINAL_THEMES } from './terminal-theme.js';

interface LiveTerminalProps {
  readonly session: string;
  /** The machine of the hub that has the session. Default: this one. */
  readonly machine?: string;
  readonly label: string;
  readonly isInControl: boolean;
  /** Lines that can be scrolled back. */
  readonly scrollback?: number;
  /** True if screen readers can read the terminal. That takes time for each line. */
  readonly isReadable?: boolean;
  /** Called when the person leaves the terminal by the keyboard. */
  readonly onLeave?: () => void;
  /** @param isLost  True if the other machine cannot be reached now. It is tried again; the last screen stays. */
  readonly onClosed?: (reason: string, isLost: boolean) => void;
  /** Called when the first screen has arrived. */
  readonly onShown?: () => void;
}

/** The close codes of a stream whose machine cannot be reached, and refusals for the same reason. */
const LOST: readonly number[] = [CLOSE.machineLost, CLOSE.goingAway];
const AWAY: readonly string[] = ['ORCHD_MACHINE_AWAY', 'ORCHD_HUB_UNREACHABLE'];

const RESIZE_PAUSE_MS = 80;
/** Pause before a machine that cannot be reached is tried again. */
const RETRY_MS = 3_000;
const CONTROL_FONT_PX = 13;

export default function LiveTerminal(props: LiveTerminalProps) {
  const { session, machine, label, isInControl, scrollback = 5_000, isReadable = false } = props;
  const { channels } = useLive();
  const theme = useTheme();
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef<{ readonly terminal: Terminal; readonly channel: Channel } | null>(null);
  const latest = useRef({ ...props, theme });
  latest.current = { ...props, theme };

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const terminal = createTerminal(element, latest.current.theme, {
      scrollback,
      disableStdin: !isInControl,
      cursorBlink: isInControl,
      fontSize: CONTROL_FONT_PX,
      screenReaderMode: isReadable,
    });
    const fit = new FitAddon();
    terminal.loadAddon(fit);
    if (terminal.textarea) {
      terminal.textarea.setAttribute('aria-label', `Terminal of ${latest.current.label}`);
      terminal.textarea.disabled = !isInControl; // Otherwise the terminal would take the keys of the page.
    }
    const onKey = (event: KeyboardEvent): void => {
      const pages = event.key === 'PageUp' ? -1 : event.key === 'PageDown' ? 1 : 0;
      if (isInControl || pages === 0) return;
      event.preventDefault();
      terminal.scrollPages(pages);
    };
    element.addEventListener('keydown', onKey);
    const draw = (): void => {
      if (isInControl) fit.fit();
      else terminal.options.fontSize = fontFor(element, terminal);
    };
    const where = machine === undefined ? '' : `&machine=${encodeURIComponent(machine)}`;
    const query = (): string => {
      if (!isInControl) return `mode=attach&read_only=true${where}`;
      fit.fit();
      return `mode=attach&cols=${terminal.cols}&rows=${terminal.rows}${where}`;
    };
    let channel: Channel | null = null;
    let retryTimer: ReturnType<typeof setTimeout> | undefined;
    const ended = (reason: string, isLost: boolean): void => {
      element.dataset['stream'] = 'closed';
      latest.current.onClosed?.(reason, isLost);
      if (isLost) retryTimer = setTimeout(openChannel, RETRY_MS);
    };
    const openChannel = (): void => {
      let [isNew, isRefused] = [true, false];
      const begin = (): void => {
        if (!isNew) return;
        isNew = false;
        terminal.reset();
        element.dataset['stream'] = 'open';
        latest.current.onShown?.();
      };
      channel = channels.open(session, query, {
        isElsewhere: machine !== undefined,
        onBegin: () => {
          isNew = true;
        },
        onBytes: (bytes, taken) => {
          begin();
          terminal.write(bytes, taken);
        },
        onMessage: (message) => {
          if (message.type === 'refused') {
            isRefused = true;
            ended(message.error, AWAY.includes(message.code));
          }
          if (message.type !== 'size') return;
          begin();
          if (terminal.cols !== message.cols || terminal.rows !== message.rows)
            terminal.resize(message.cols, message.rows);
          if (isInControl) channel?.tell(coloursOf(latest.current.theme));
          else draw();
        },
        onClosed: (reason, code) => {
          if (!isRefused) ended(reason, LOST.includes(code)); // else it was told before, in words
        },
      });
      shown.current = { terminal, channel };
    };
    openChannel();
    if (isInControl) {
      const encoder = new TextEncoder();
      terminal.onData((text) => channel?.type(encoder.encode(text)));
      terminal.onBinary((text) => channel?.type(Uint8Array.from(text, (char) => char.charCodeAt(0))));
      terminal.attachCustomKeyEventHandler((event) => {
        const isLeaving = event.ctrlKey && event.shiftKey && event.key.toLowerCase() === 'l';
        if (isLeaving && event.type === 'keydown') latest.current.onLeave?.();
        return !isLeaving;
      });
      terminal.focus();
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watcher = new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const before = [terminal.cols, terminal.rows];
        draw();
        if (isInControl && (before[0] !== terminal.cols || before[1] !== terminal.rows))
          channel?.tell({ type: 'resize', cols: terminal.cols, rows: terminal.rows });
      }, RESIZE_PAUSE_MS);
    });
    watcher.observe(element);
    draw();
    return () => {
      clearTimeout(timer);
      clearTimeout(retryTimer);
      element.removeEventListener('keydown', onKey);
      watcher.disconnect();
      channel?.close();
      terminal.dispose();
      shown.current = null;
    };
  }, [channels, session, machine, isInControl, scrollback, isReadable]);

  useEffect(() => {
    if (!shown.current) return;
    shown.current.terminal.options.theme = TERMINAL_THEMES[theme];
    if (isInControl) shown.current.channel.tell(coloursOf(theme));
  }, [theme, isInControl]);

  return (
    <section
      className={`live-terminal ${isInControl ? 'in-control' : ''}`}
      aria-label={`Terminal of ${label}${isInControl ? '' : ', read-only'}`}
      data-session={session}
    >
      <div className="terminal-place" ref={place} tabIndex={isInControl ? -1 : 0} />
    </section>
  );
}

/** Returns the page's colours, for programs that query them. */
function coloursOf(theme: Theme): object {
  const { foreground, background } = TERMINAL_THEMES[theme];
  const spec = (colour: string): string => `rgb:${[1, 3, 5].map((at) => colour.slice(at, at + 2).repeat(2)).join('/')}`;
  return { type: 'colours', foreground: spec(foreground), background: spec(background) };
}
