/**
 * A link of a row in a long list. It does what the router's `Link` does, but does not listen to the address: hundreds
 * of rows are made and removed while a list scrolls.
 */
import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { navigate } from 'wouter/use-browser-location';

/** The base of the router: frame/frame.tsx. */
const BASE = '/ui';

interface RowLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  /** The path below /ui. */
  readonly href: string;
}

export const RowLink = ({ href, ...link }: RowLinkProps) => <a {...link} href={BASE + href} onClick={follow} />;

function follow(event: MouseEvent<HTMLAnchorElement>): void {
  const { ctrlKey, metaKey, altKey, shiftKey, button, currentTarget } = event;
  if (ctrlKey || metaKey || altKey || shiftKey || button !== 0) return;
  event.preventDefault();
  navigate(currentTarget.getAttribute('href') ?? BASE);
}
