/** A list beside what is chosen in it. A narrow window shows the one or the other. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Icon } from './icon.js';
import './split.css';

interface SplitProps {
  /** The name of the list for screen readers. */
  readonly label: string;
  readonly list: ReactNode;
  /**
   * The detail view. If it is null, a narrow window shows only the list, and a wide one shows `nothing` beside the
   * list.
   */
  readonly chosen: ReactNode | null;
  readonly nothing?: ReactNode;
}

export function Split({ label, list, chosen, nothing = null }: SplitProps) {
  return (
    <div className={`split ${chosen === null ? 'at-list' : 'at-chosen'}`}>
      <section className="split-list" aria-label={label}>
        {list}
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
