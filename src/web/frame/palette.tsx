/** The palette: searches pages, commands, questions, sessions, agents and their work, and opens the chosen one. */
import * as Dialog from '@radix-ui/react-dialog';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useFocusBack } from '../browser/use-focus-back.js';
import { type Entry, entriesFor, usePaletteEntries } from './palette-entries.js';

interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onKeys: () => void;
}

const MAX_SHOWN = 30;

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
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const listId = useId();
  const entries = usePaletteEntries(onKeys);
  const all = useMemo(() => entriesFor(entries, text), [entries, text]);
  const found = all.slice(0, MAX_SHOWN);
  const chosen = Math.min(at, found.length - 1);
  const shown = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another entry has the ref after each change
  useEffect(() => {
    shown.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen, text]);
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
        aria-label="Search pages, commands, questions, sessions and work"
        placeholder="Search everything…"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      <div className="palette-list" role="listbox" id={listId} aria-label="Found" hidden={found.length === 0}>
        {found.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys, as a combobox
          <div
            key={entry.id}
            ref={index === chosen ? shown : null}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            className="palette-entry"
            onClick={() => act(entry)}
          >
            <span className="grow cut">{entry.text}</span>
            <span className="palette-keys">
              {entry.keys?.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </span>
            <span className="muted">{entry.group}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="muted palette-note">Nothing has these words.</p>}
      {all.length > found.length && (
        <p className="muted palette-note">{all.length - found.length} more. Type more words to find them.</p>
      )}
    </>
  );
}
