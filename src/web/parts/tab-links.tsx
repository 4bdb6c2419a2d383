/** The tabs of a page of the dashboard, as links. */
import { Link } from 'wouter';

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
