/** The terminal of a recording, and the player that plays on it. Loaded when first shown. */
import { SerializeAddon } from '@xterm/addon-serialize';
import type { Terminal } from '@xterm/xterm';
import { useEffect, useRef } from 'react';
import { useTheme } from '../browser/theme.js';
import { createTerminal, fontFor } from '../terminal/create-terminal.js';
import { TERMINAL_THEMES } from '../terminal/terminal-theme.js';
import { Player, type PlayerState } from './player.js';
import type { Frame } from './recording.js';

interface PlayerScreenProps {
  readonly frames: readonly Frame[];
  readonly mostPauseMs: number;
  readonly label: string;
  readonly onReady: (player: Player) => void;
  readonly onChange: (state: PlayerState) => void;
}

export default function PlayerScreen({ frames, mostPauseMs, label, onReady, onChange }: PlayerScreenProps) {
  const theme = useTheme();
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef<{ readonly terminal: Terminal; readonly player: Player } | null>(null);
  const latest = useRef({ theme, mostPauseMs, onReady, onChange });
  latest.current = { theme, mostPauseMs, onReady, onChange };

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const terminal = createTerminal(element, latest.current.theme, {
      disableStdin: true,
      scrollback: 0,
      screenReaderMode: true,
    });
    const serializer = new SerializeAddon();
    terminal.loadAddon(serializer);
    if (terminal.textarea) {
      terminal.textarea.disabled = true;
      terminal.textarea.setAttribute('aria-label', 'Screen of the recording');
    }
    const draw = (): void => {
      terminal.options.fontSize = fontFor(element, terminal);
    };
    const player = new Player(
      {
        terminal: {
          write: (data, done) => terminal.write(data, done),
          resize: ({ cols, rows }) => {
            if (terminal.cols === cols && terminal.rows === rows) return;
            terminal.resize(cols, rows);
            draw();
          },
          reset: () => terminal.reset(),
          serialize: () => serializer.serialize(),
        },
        now: () => performance.now(),
        nextFrame: (then) => void requestAnimationFrame(then),
        onChange: (state) => latest.current.onChange(state),
      },
      frames,
      latest.current.mostPauseMs,
    );
    shown.current = { terminal, player };
    const watcher = new ResizeObserver(draw);
    watcher.observe(element);
    draw();
    latest.current.onReady(player);
    return () => {
      watcher.disconnect();
      player.close();
      terminal.dispose();
      shown.current = null;
    };
  }, [frames]);

  useEffect(() => shown.current?.player.cutPauses(mostPauseMs), [mostPauseMs]);
  useEffect(() => {
    if (shown.current) shown.current.terminal.options.theme = TERMINAL_THEMES[theme];
  }, [theme]);

  return (
    <section className="live-terminal" aria-label={`Recording of ${label}`}>
      <div className="terminal-place" ref={place} />
    </section>
  );
}
