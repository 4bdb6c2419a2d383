/**
 * The terminal of a living session.
 *
 * It watches in the session's own size, drawn as large as fits. In control, the session has the size of this window,
 * and keys go to the program. Loaded when first shown: xterm.js is as large as the rest of the page.
 */
import { useEffect, useRef } from 'react';
import { useTheme } from '../browser/theme.js';
import { useLive } from '../live/live.js';
import { ConnectedTerminal } from './connected-terminal.js';

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

export default function LiveTerminal(props: LiveTerminalProps) {
  const { session, machine, label, isInControl, scrollback = 5_000, isReadable = false } = props;
  const { channels } = useLive();
  const theme = useTheme();
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef<ConnectedTerminal | null>(null);
  const latest = useRef({ ...props, theme });
  latest.current = { ...props, theme };

  useEffect(() => {
    if (!place.current) return;
    const how = { session, machine, isInControl, scrollback, isReadable };
    const terminal = new ConnectedTerminal(place.current, channels, how, () => latest.current);
    shown.current = terminal;
    return () => {
      terminal.close();
      shown.current = null;
    };
  }, [channels, session, machine, isInControl, scrollback, isReadable]);

  useEffect(() => shown.current?.paint(theme), [theme]);

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
