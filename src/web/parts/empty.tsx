import type { ReactNode } from 'react';

interface EmptyProps {
  readonly title: string;
  readonly children: ReactNode;
  /** A command that creates an entry of this page. */
  readonly command?: string;
}

/** The text of a page without entries: the purpose of the page, and how to create an entry. */
export function Empty({ title, children, command }: EmptyProps) {
  return (
    <section className="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {command !== undefined && (
        <pre>
          <code>{command}</code>
        </pre>
      )}
    </section>
  );
}
