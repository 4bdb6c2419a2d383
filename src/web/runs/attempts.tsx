/** The attempts of a run side by side: the prompt of each, its text, and the verdict on it. */

import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { type Run, type RunAttempt, usageWords } from '../../protocol/index.js';
import { Age, durationWords } from '../parts/age.js';
import { CopyButton } from '../parts/copy-button.js';
import { ScrollRegion } from '../parts/scroll-region.js';
import { ExactText } from '../text/exact-text.js';
import { line } from '../text/label-text.js';
import { ErrorTable } from './error-table.js';
import { reasonWords } from './run-words.js';

export const Attempts = ({ run }: { readonly run: Run }) => (
  <AttemptsRow attempts={run.attempts} show={(attempt) => <OneAttempt attempt={attempt} />} />
);

function OneAttempt({ attempt }: { readonly attempt: RunAttempt }) {
  const { number, prompt, text, verdict, error, exit_code, session_id, started_at, ended_at, usage } = attempt;
  const used = usageWords(usage);
  return (
    <article className="attempt" aria-label={`Attempt ${number}`}>
      <header className="row wraps">
        <strong>{number}</strong>
        <span className="muted small">{reasonWords(attempt)}</span>
        <span className="grow" />
        <AttemptMark attempt={attempt} />
      </header>
      <p className="muted small">
        {ended_at === null ? (
          <>
            running for <Age since={started_at} />
          </>
        ) : (
          <>
            {durationWords(started_at, ended_at)}
            {exit_code === null || exit_code === 0 ? '' : `, exit code ${exit_code}`}
          </>
        )}
        {used !== '' && ` · ${used}`}
        {' · '}
        <Link href={`/sessions/${session_id}`}>session</Link>
      </p>
      {error !== null && <p className="notice bad">{line(error, 2000)}</p>}
      {verdict && !verdict.ok && <ErrorTable errors={verdict.errors} />}
      <details>
        <summary>Prompt</summary>
        <ExactText text={prompt} label={`Prompt of attempt ${number}`} />
      </details>
      {text !== null && (
        <>
          <div className="part-title">
            <h3 className="grow">Reply</h3>
            <CopyButton text={text} />
          </div>
          <ExactText text={text} label={`Reply of attempt ${number}`} />
        </>
      )}
    </article>
  );
}

function AttemptMark({ attempt: { verdict, error, ended_at } }: { readonly attempt: RunAttempt }) {
  if (ended_at === null) return <span className="pill tone-info">running</span>;
  if (error !== null) return <span className="pill tone-bad">failed</span>;
  if (!verdict) return <span className="pill">ended</span>;
  return verdict.ok ? (
    <span className="pill tone-good">fits</span>
  ) : (
    <span className="pill tone-bad">does not fit</span>
  );
}

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
