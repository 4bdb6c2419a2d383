/** The attempts of a run or of a task, side by side. */
import { Fragment, type ReactNode } from 'react';
import { ScrollRegion } from '../parts/scroll-region.js';

interface AttemptsRowProps<T> {
  readonly attempts: readonly T[];
  readonly show: (attempt: T) => ReactNode;
}

export function AttemptsRow<T extends { readonly number: number }>({ attempts, show }: AttemptsRowProps<T>) {
  if (attempts.length === 0) return null;
  return (
    <section aria-label="Attempts">
      <div className="part-title">
        <h2>{attempts.length === 1 ? 'Attempt' : `${attempts.length} attempts`}</h2>
      </div>
      <ScrollRegion className="attempts" label="Attempts, side by side">
        {attempts.map((attempt) => (
          <Fragment key={attempt.number}>{show(attempt)}</Fragment>
        ))}
      </ScrollRegion>
    </section>
  );
}
