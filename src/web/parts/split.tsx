/** A list beside what is chosen in it. A narrow window shows the one or the other. */
import type { ReactNode, Ref } from 'react';
import { Link } from 'wouter';
import { Icon } from './icon.js';
import './split.css';

interface SplitProps {
  readonly title: string;
  /** Elements beside the title. */
  readonly head?: ReactNode;
  readonly list: ReactNode;
  /** Receives the element that scrolls the list. */
  readonly place?: Ref<HTMLDivElement>;
  /**
   * The detail view. If it is null, a narrow window shows only the list, and a wide one shows `nothing` beside the
   * list.
   */
  readonly chosen: ReactNode | null;
  readonly nothing?: ReactNode;
}

export function Split({ title, head, list, place, chosen, nothing = null }: SplitProps) {
  return (
    <div className={`split ${chosen === null ? 'at-list' : 'at-chosen'}`}>
      <section className="split-list" aria-label={title}>
        <header className="page-head">
          <h1>{title}</h1>
          {head}
        </header>
        <div className="page-body" ref={place}>
          {list}
        </div>
      </section>
      <section className="split-chosen" aria-label="Details">
        {chosen ?? nothing}
      </section>
    </div>
  );
}

interface BackLinkProps {
  readonly href: string;
  /** True for a page that is never shown beside its list. */
  readonly isAlways?: boolean;
  readonly label?: string;
}

/** Leads back to the list; in a narrow window, or always. */
export function BackLink({ href, isAlways = false, label = 'Back to the list' }: BackLinkProps) {
  return (
    <Link href={href} className={`button quiet icon-button ${isAlways ? '' : 'split-back'}`} aria-label={label}>
      <Icon name="back" />
    </Link>
  );
}
