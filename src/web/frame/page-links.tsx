/** Links to pages, with the number of open items beside the inbox. */
import { Link } from 'wouter';
import { Icon } from '../parts/icon.js';
import type { PageSpec } from './pages.js';

/** The highest number beside the inbox, so that it fits beside the icon. */
const MAX_COUNTED = 99;

export interface PageLinksProps {
  readonly pages: readonly PageSpec[];
  /** Undefined if there is no page at the address. */
  readonly shown: PageSpec | undefined;
  /** Number of open items. */
  readonly open: number;
  readonly onFollow?: () => void;
}

export function PageLinks({ pages, shown, open, onFollow }: PageLinksProps) {
  return (
    <ul className="nav-pages">
      {pages.map(({ path, title, icon }) => (
        <li key={path}>
          <Link
            href={`/${path}`}
            className="nav-page"
            aria-current={path === shown?.path ? 'page' : undefined}
            onClick={onFollow}
          >
            <Icon name={icon} />
            <span className="nav-title">{title}</span>
            {path === 'inbox' && open > 0 && (
              <span className="count" role="status" aria-label={`${open} open`}>
                {open > MAX_COUNTED ? `${MAX_COUNTED}+` : open}
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  );
}
