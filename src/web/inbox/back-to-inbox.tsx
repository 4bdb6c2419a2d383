/** A link from an item back to the list of the inbox, shown on a phone. */
import { Link } from 'wouter';
import { Icon } from '../parts/icon.js';

export function BackToInbox({ href }: { readonly href: string }) {
  return (
    <Link href={href} className="button quiet icon-button back" aria-label="Back to the list">
      <Icon name="back" />
    </Link>
  );
}
