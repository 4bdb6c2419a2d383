/** The palette: searches pages, questions and sessions, and opens the chosen one. */
import * as Dialog from '@radix-ui/react-dialog';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { subjectOf } from '../../protocol/index.js';
import { toggleTheme } from '../browser/theme.js';
import { useFocusBack } from '../browser/use-focus-back.js';
import { useOpenItems } from '../inbox/open-items.js';
import { useOperation } from '../live/live.js';
import { line } from '../text/label-text.js';
import { markdownLine } from '../text/markdown-line.js';
import { PAGES } from './pages.js';

interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onKeys: () => void;
}

interface Entry {
  readonly id: string;
  readonly group: string;
  readonly text: string;
  readonly act: () => void;
}

const MOST_SHOWN = 30;

export function Palette({ isOpen, onClose, onKeys }: PaletteProps) {
  const focusBack = useFocusBack();
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="dialog palette" aria-describedby={undefined} {...focusBack}>
          <Dialog.Title className="hidden-visually">Search and commands</Dialog.Title>
          <Search onClose={onClose} onKeys={onKeys} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Search({ onClose, onKeys }: Omit<PaletteProps, 'isOpen'>) {
  const [, go] = useLocation();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const listId = useId();
  const items = useOpenItems();
  const sessions = useOperation(['sessions'], 'session.list', {}).data;
  const entries = useMemo<Entry[]>(
    () => [
      ...PAGES.map(({ path, title }) => ({ id: path, group: 'Page', text: title, act: () => go(`/${path}`) })),
      ...items.map((item) => ({
        id: item.id,
        group: 'Question',
        text: `${line(item.session_name, 60)}: ${markdownLine(subjectOf(item), 120)}`,
        act: () => go(`/inbox/${item.id}`),
      })),
      ...(PAGES.some(({ path }) => path === 'sessions') ? (sessions ?? []) : []).map((session) => ({
        id: session.id,
        group: 'Session',
        text: line(session.name, 120),
        act: () => go(`/sessions/${session.id}`),
      })),
      { id: 'theme', group: 'Command', text: 'Switch between dark and light', act: toggleTheme },
      { id: 'keys', group: 'Command', text: 'Show the keys', act: onKeys },
    ],
    [items, sessions, go, onKeys],
  );
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries
    .filter((entry) => words.every((word) => `${entry.group} ${entry.text}`.toLowerCase().includes(word)))
    .slice(0, MOST_SHOWN);
  const chosen = Math.min(at, found.length - 1);
  const act = (entry: Entry | undefined): void => {
    if (!entry) return;
    onClose();
    entry.act();
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setAt((chosen + step + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') act(found[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        className="palette-input"
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={found[chosen] && `${listId}-${chosen}`}
        aria-label="Search pages, questions and sessions"
        placeholder="Search pages, questions and sessions…"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      <div className="palette-list" role="listbox" id={listId} aria-label="Found">
        {found.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys, as a combobox
          <div
            key={entry.id}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            className="palette-entry"
            onClick={() => act(entry)}
          >
            <span className="grow cut">{entry.text}</span>
            <span className="muted">{entry.group}</span>
          </div>
        ))}
        {found.length === 0 && <p className="muted palette-none">Nothing has these words.</p>}
      </div>
    </>
  );
}
