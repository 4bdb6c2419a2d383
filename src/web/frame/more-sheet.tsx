/** On a phone: the button behind the bar of pages, and the sheet that it opens with the other pages and commands. */
import * as Dialog from '@radix-ui/react-dialog';
import { useRef, useState } from 'react';
import { toggleTheme, useTheme } from '../browser/theme.js';
import { useLive } from '../live/live.js';
import { Icon, type IconName } from '../parts/icon.js';
import { ConnectionNote } from './connection-note.js';
import { PageLinks, type PageLinksProps } from './page-links.js';

/** `pages` are those that the bar does not show. */
interface MoreSheetProps extends Omit<PageLinksProps, 'onFollow'> {
  readonly onSearch: () => void;
  readonly onSignOut: () => void;
}

export function MoreSheet({ pages, shown, open, onSearch, onSignOut }: MoreSheetProps) {
  const [isOpen, setOpen] = useState(false);
  const { connection } = useLive();
  const theme = useTheme();
  const button = useRef<HTMLButtonElement>(null);
  /** Called once the sheet is closed and the button has the focus again. */
  const then = useRef<(() => void) | null>(null);
  const close = (next?: () => void): void => {
    then.current = next ?? null;
    setOpen(false);
  };
  const here = pages.find((page) => page === shown);
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => (next ? setOpen(true) : close())}>
      <Dialog.Trigger ref={button} className="nav-page nav-more" data-here={here !== undefined}>
        <Icon name="more" />
        <span className="nav-title">More</span>
        {here && <span className="hidden-visually">(you are on {here.title})</span>}
        {connection !== 'live' && <span className={`dot ${connection}`} aria-hidden="true" />}
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content
          className="sheet-up"
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            button.current?.focus();
            then.current?.();
            then.current = null;
          }}
        >
          <div className="row sheet-up-head">
            <Dialog.Title className="grow">More</Dialog.Title>
            <ConnectionNote />
            <Dialog.Close className="button quiet icon-button" aria-label="Close">
              <Icon name="close" />
            </Dialog.Close>
          </div>
          <nav aria-label="Other pages">
            <PageLinks pages={pages} shown={shown} open={open} onFollow={() => close()} />
          </nav>
          <div className="sheet-up-acts">
            <Command icon="search" words="Search and commands" onClick={() => close(onSearch)} />
            <Command
              icon={theme === 'dark' ? 'sun' : 'moon'}
              words={theme === 'dark' ? 'Light colours' : 'Dark colours'}
              onClick={toggleTheme}
            />
            <Command icon="out" words="Sign out" onClick={onSignOut} />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface CommandProps {
  readonly icon: IconName;
  readonly words: string;
  readonly onClick: () => void;
}

function Command({ icon, words, onClick }: CommandProps) {
  return (
    <button type="button" className="nav-page" onClick={onClick}>
      <Icon name={icon} />
      <span className="nav-title">{words}</span>
    </button>
  );
}
