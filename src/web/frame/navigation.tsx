/**
 * The navigation. A wide window shows all pages beside the page. A phone has a bar at the bottom with the pages that
 * are used most, and a button that opens the list of the others.
 */
import { Link } from 'wouter';
import { toggleTheme, useTheme } from '../browser/theme.js';
import { useNarrow } from '../browser/use-narrow.js';
import { Icon, type IconName } from '../parts/icon.js';
import { ConnectionNote } from './connection-note.js';
import { MoreSheet } from './more-sheet.js';
import { PageLinks, type PageLinksProps } from './page-links.js';
import { PAGES } from './pages.js';

interface NavigationProps extends Pick<PageLinksProps, 'shown' | 'open'> {
  readonly onSearch: () => void;
  readonly onKeys: () => void;
  readonly onSignOut: () => void;
}

export function Navigation({ shown, open, onSearch, onKeys, onSignOut }: NavigationProps) {
  const isNarrow = useNarrow();
  if (isNarrow) {
    return (
      <nav className="nav" aria-label="Pages">
        <PageLinks pages={PAGES.filter(({ isOnBar }) => isOnBar)} shown={shown} open={open} />
        <MoreSheet
          pages={PAGES.filter(({ isOnBar }) => !isOnBar)}
          shown={shown}
          open={open}
          onSearch={onSearch}
          onSignOut={onSignOut}
        />
      </nav>
    );
  }
  return (
    <nav className="nav" aria-label="Pages">
      <Link className="brand" href="/" aria-label="orchd, to the inbox">
        <img src="/ui/icon.svg" alt="" width="20" height="20" />
        <span>orchd</span>
      </Link>
      <PageLinks pages={PAGES} shown={shown} open={open} />
      <div className="nav-foot">
        <ConnectionNote />
        <div className="row">
          <IconButton icon="search" label="Search and commands" keys="Ctrl K" onClick={onSearch} />
          <IconButton icon="keys" label="Keys" keys="?" onClick={onKeys} />
          <ThemeButton />
          <IconButton icon="out" label="Sign out" onClick={onSignOut} />
        </div>
      </div>
    </nav>
  );
}

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  /** The keyboard shortcuts of the button. */
  readonly keys?: string;
  readonly onClick: () => void;
}

/** A button that has only an icon. */
function IconButton({ icon, label, keys, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      className="button quiet icon-button"
      title={keys === undefined ? label : `${label} (${keys})`}
      aria-label={label}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

function ThemeButton() {
  const theme = useTheme();
  const label = theme === 'dark' ? 'Light colours' : 'Dark colours';
  return <IconButton icon={theme === 'dark' ? 'sun' : 'moon'} label={label} onClick={toggleTheme} />;
}
