import type { ReactNode } from 'react';

interface EmptyProps {
  readonly title: string;
  readonly children: ReactNode;
  /** A command that fills this page. */
  readonly command?: string;
}

/** What an empty page is for, and how it fills. */
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
