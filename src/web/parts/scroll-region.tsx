/** A scrolling part of a page that the keyboard can focus and scroll. */
import type { ReactNode, RefCallback } from 'react';

interface ScrollRegionProps {
  readonly label: string;
  readonly className: string;
  readonly children: ReactNode;
  readonly place?: RefCallback<HTMLElement>;
}

/** A part of the page that scrolls separately, also with the keyboard. */
export function ScrollRegion({ label, className, children, place }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the keys
    <section className={className} aria-label={label} tabIndex={0} ref={place}>
      {children}
    </section>
  );
}
