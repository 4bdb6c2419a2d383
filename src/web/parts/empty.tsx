/** The content of a page or list of the dashboard that has no entries yet, or that loads. */
import type { ReactNode } from 'react';

interface EmptyProps {
  readonly title: string;
  readonly children: ReactNode;
  /** A command that creates an entry of this page. */
  readonly command?: string;
  /** True if the page has no other heading. */
  readonly isWholePage?: boolean;
}

/** The text of a page without entries: the purpose of the page, and how to create an entry. */
export function Empty({ title, children, command, isWholePage = false }: EmptyProps) {
  const Heading = isWholePage ? 'h1' : 'h2';
  return (
    <section className="empty">
      <Heading>{title}</Heading>
      <p>{children}</p>
      {command !== undefined && (
        <pre>
          <code>{command}</code>
        </pre>
      )}
    </section>
  );
}

/** Bars in the place of a thing that loads. They are shown after a moment. */
export const Waiting = () => <div className="sheet" data-settling="true" aria-busy="true" />;
