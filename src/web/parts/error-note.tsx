/** The box in which the dashboard shows an error of an operation, with its hint from the error catalogue. */
import type { ReactNode } from 'react';
import { displayText, ERRORS, OrchdError, shownError } from '../../protocol/index.js';
import { line } from '../text/label-text.js';
import { TextWithCode } from '../text/text-with-code.js';
import { Empty } from './empty.js';

interface ErrorNoteProps {
  readonly error: Error;
  readonly onRetry?: () => void;
  /** The next step for the person on this page. Default: the hint of the catalogue. */
  readonly hint?: string | undefined;
}

/** Shows an error and what the person can do about it. */
export function ErrorNote({ error, onRetry, hint = hintOf(error) }: ErrorNoteProps) {
  return (
    <div className="notice bad" role="alert">
      <div className="grow">
        <strong>{sentence(line(error.message, 1000))}</strong> <TextWithCode text={hint} />
      </div>
      {onRetry && (
        <button type="button" className="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

const hintOf = (error: Error): string => (error instanceof OrchdError ? ERRORS[error.code].hint : '');

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

interface NotThereProps extends ErrorNoteProps {
  readonly title: string;
  /** True if the page has no other heading. */
  readonly isWholePage?: boolean;
}

/** The content of a page whose object could not be loaded. */
export const NotThere = ({ title, isWholePage = false, ...error }: NotThereProps) => (
  <Empty title={title} isWholePage={isWholePage}>
    <ErrorNote {...error} />
  </Empty>
);

interface FailureProps {
  readonly of: { readonly state: string; readonly error: { readonly error: string; readonly message: string } | null };
  readonly children?: ReactNode;
}

/** The error with which a run, a task or a workflow ended. */
export function Failure({ of, children }: FailureProps) {
  const error = shownError(of);
  return (
    error && (
      <div className="notice bad" role="alert">
        <div className="grow">
          <strong>{line(error.error, 80)}</strong>: <ErrorText text={error.message} />
          {children}
        </div>
      </div>
    )
  );
}

/** The text of an error with its lines, such as those of a stack trace. */
export const ErrorText = ({ text }: { readonly text: string }) => (
  <span className="lines">{displayText(cutTo(text, ERROR_CHARS))}</span>
);

const ERROR_CHARS = 2_000;
const cutTo = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** Says why a key or a button did nothing. Screen readers read it when it appears. */
export const Refusal = ({ words }: { readonly words: string }) => (
  <div role="status">{words !== '' && <p className="notice warn refusal">{words}</p>}</div>
);
