/** An output envelope: its status, what it delivers, what comes next, and its text for people as safe HTML. */
import { type Badge, displayText, valueText } from '../../protocol/index.js';
import { CopyButton } from '../parts/copy-button.js';
import { StatePill } from '../parts/state-pill.js';
import { JsonValue } from '../text/json-value.js';
import { line } from '../text/label-text.js';
import { Markdown } from '../text/markdown.js';
import './envelopes.css';

type Json = Readonly<Record<string, unknown>>;

const STATUS_BADGES: Readonly<Record<string, Badge>> = {
  success: { mark: '✓', style: 'green' },
  partial: { mark: '~', style: 'yellow' },
  failed: { mark: '✗', style: 'red' },
};
const OTHER: Badge = { mark: '·', style: 'dim' };
const MAX_ROWS = 200;
const MAX_FIELDS = 30;

export function EnvelopeStatus({ status }: { readonly status: unknown }) {
  const word = typeof status === 'string' ? line(status, 40) : 'no status';
  return <StatePill badge={STATUS_BADGES[word] ?? OTHER} word={word} />;
}

export function EnvelopeView({ data, human }: { readonly data: Json; readonly human: string }) {
  const {
    status,
    summary,
    completion_percentage,
    error,
    issues,
    deliverables,
    next_steps,
    subtasks,
    metadata,
    ...rest
  } = data; // the rest has no fixed place in the view, and follows
  const others = Object.entries(rest);
  return (
    <div className="envelope">
      <div className="row wraps">
        <EnvelopeStatus status={status} />
        {typeof completion_percentage === 'number' && (
          <span className="row small">
            <progress max={100} value={completion_percentage} aria-label="Complete" />
            {completion_percentage} %
          </span>
        )}
        <span className="grow" />
        <CopyButton text={JSON.stringify(data, null, 2)} />
      </div>
      <p className="envelope-summary">{line(textOf(summary), 1000)}</p>
      {isJson(error) && (
        <div className="notice bad">
          <div>
            <strong>{line(textOf(error['type']), 100)}</strong>: {line(textOf(error['message']), 1000)}
            {Object.entries(error)
              .filter(([name]) => name !== 'type' && name !== 'message')
              .slice(0, MAX_FIELDS)
              .map(([name, value]) => (
                <p key={name}>
                  {titleOf(name)}: {line(textOf(value), 1000)}
                </p>
              ))}
          </div>
        </div>
      )}
      <div className="envelope-lists">
        <TextList title="Deliverables" entries={deliverables} isMono none="It delivers no files." />
        <TextList title="Next steps" entries={next_steps} none="It proposes no next steps." />
      </div>
      {Array.isArray(issues) && issues.length > 0 && (
        <Rows title="Issues" fields={['type', 'impact', 'blocking', 'description']} rows={issues.filter(isJson)} />
      )}
      {Array.isArray(subtasks) && subtasks.length > 0 && (
        <Rows title="Subtasks" fields={['id', 'agent', 'status', 'output']} rows={subtasks.filter(isJson)} />
      )}
      {human.trim() !== '' && (
        <section aria-label="For people" className="envelope-human">
          <Markdown text={human} />
        </section>
      )}
      {isJson(metadata) && <p className="muted small">{metadataWords(metadata)}</p>}
      {others.length > 0 && (
        <details className="more">
          <summary>Other fields</summary>
          <JsonValue value={Object.fromEntries(others)} label="Other fields" />
        </details>
      )}
    </div>
  );
}

interface TextListProps {
  readonly title: string;
  readonly entries: unknown;
  readonly none: string;
  readonly isMono?: boolean;
}

function TextList({ title, entries, none, isMono = false }: TextListProps) {
  const list = Array.isArray(entries) ? entries : [];
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {list.length === 0 ? (
        <p className="muted small">{none}</p>
      ) : (
        <ul className={isMono ? 'mono' : ''}>
          {list.slice(0, MAX_ROWS).map((one, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: texts that never move, and two may be the same
            <li key={at}>{line(textOf(one), 500)}</li>
          ))}
          {list.length > MAX_ROWS && <li className="muted">and {list.length - MAX_ROWS} more</li>}
        </ul>
      )}
    </section>
  );
}

interface RowsProps {
  readonly title: string;
  /** The documented fields. The other fields of the rows follow. */
  readonly fields: readonly string[];
  readonly rows: readonly Json[];
}

function Rows({ title, fields, rows }: RowsProps) {
  const shown = rows.slice(0, MAX_ROWS);
  const columns = [...new Set([...fields, ...shown.flatMap((row) => Object.keys(row))])].slice(0, MAX_FIELDS);
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <div className="table-box">
        <table className="plain-table">
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {line(name, 60)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows never move
              <tr key={at}>
                {columns.map((name) => (
                  <td key={name}>{name === 'status' ? <EnvelopeStatus status={row[name]} /> : textOf(row[name])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const textOf = (value: unknown): string => displayText(valueText(value).slice(0, 5_000));

/** Returns the name of a field as a title: `Retry after` for `retry_after`. */
function titleOf(name: string): string {
  const words = line(name, 60).replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function metadataWords(metadata: Json): string {
  return Object.entries(metadata)
    .slice(0, 30)
    .map(([name, value]) => `${line(name, 60).replaceAll('_', ' ')}: ${line(textOf(value), 120)}`)
    .join(' · ');
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
