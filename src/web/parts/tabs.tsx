/**
 * The tabs of a page of the dashboard: buttons that choose what is shown, or links to views with a URL of their own.
 */
import type { KeyboardEvent, ReactNode } from 'react';
import { Link } from 'wouter';

interface TabsProps<Id extends string> {
  /** The name of the tabs for screen readers. */
  readonly label: string;
  readonly tabs: readonly { readonly id: Id; readonly words: ReactNode }[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
  readonly className?: string;
}

/** The arrow keys, Home and End move between the tabs. */
export function Tabs<Id extends string>({ label, tabs, chosen, onChoose, className = '' }: TabsProps<Id>) {
  const onKey = (event: KeyboardEvent<HTMLElement>): void => {
    const at = tabs.findIndex(({ id }) => id === chosen);
    const to = targetOf(event.key, at, tabs.length);
    const next = to === null ? undefined : tabs[to];
    if (to === null || !next) return;
    event.preventDefault();
    onChoose(next.id);
    const button = event.currentTarget.children[to];
    if (button instanceof HTMLElement) button.focus();
  };
  return (
    <div className={`tabs ${className}`} role="tablist" aria-label={label} onKeyDown={onKey}>
      {tabs.map(({ id, words }) => (
        <button
          key={id}
          type="button"
          role="tab"
          aria-selected={id === chosen}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => onChoose(id)}
        >
          {words}
        </button>
      ))}
    </div>
  );
}

/** Returns the place of the tab to which a key leads; null for a key that leads to none. */
function targetOf(key: string, at: number, count: number): number | null {
  if (key === 'ArrowRight') return (at + 1) % count;
  if (key === 'ArrowLeft') return (at - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}

interface TabLinksProps {
  readonly label: string;
  readonly tabs: readonly { readonly title: string; readonly href: string; readonly isChosen: boolean }[];
}

/** Links to the views of one page. Each view has its own URL. */
export function TabLinks({ label, tabs }: TabLinksProps) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ title, href, isChosen }) => (
        <Link key={title} href={href} aria-current={isChosen ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  );
}
