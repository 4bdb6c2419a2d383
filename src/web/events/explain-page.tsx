/** Explains an event, an item or a state: shows its bytes, the screen, the rule that was applied, and what followed. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { displayText, type Event, type OutputOf } from '../../protocol/index.js';
import { useKeys } from '../browser/use-keys.js';
import { useLive } from '../live/live.js';
import { NotThere } from '../parts/error-note.js';
import { Icon } from '../parts/icon.js';
import { BackLink } from '../parts/split.js';
import { line } from '../text/label-text.js';
import { TextWithCode } from '../text/text-with-code.js';
import { lineOf } from './event-filter.js';

type Explanation = OutputOf<'event.explain'>;

export function ExplainPage({ what }: { readonly what: string }) {
  const { api } = useLive();
  const [, go] = useLocation();
  const { data, error, refetch } = useQuery<Explanation>({
    queryKey: ['explain', what],
    queryFn: ({ signal }) => api.call('event.explain', { what }, signal),
  });
  useKeys({ escape: () => go('/events') });
  return (
    <div className="events">
      <header className="page-head wraps">
        <BackLink href="/events" isAlways label="Back to the events" />
        <h1 className="cut grow">{data ? line(data.summary, 200) : `Explain ${line(what, 60)}`}</h1>
        {data?.session && (
          <Link className="button" href={`/sessions/${data.session.id}`}>
            {line(data.session.name, 40)}
          </Link>
        )}
      </header>
      <div className="page-body" aria-busy={!data && !error}>
        {error && <NotThere title="It cannot be explained" error={error} onRetry={() => void refetch()} />}
        {data && <Explained explanation={data} />}
      </div>
    </div>
  );
}

function Explained({ explanation }: { readonly explanation: Explanation }) {
  const { session, rule, heard_again, bytes, screen, verdict, copies, route, delivery, missing } = explanation;
  const event = explanation.event as unknown as Event; // the daemon sends a stored event
  return (
    <article className="explain">
      <p className="muted">
        Event {event.seq}, {line(event.event_type, 60).replaceAll('_', ' ')},{' '}
        {new Date(event.timestamp).toLocaleString()}
      </p>
      <Part title="How it came to be">
        <ol className="rule">
          {rule.map((sentence) => (
            <li key={sentence}>
              <TextWithCode text={displayText(sentence)} />
            </li>
          ))}
        </ol>
        {heard_again !== null && (
          <p className={heard_again ? 'tone-good' : 'tone-warn'}>
            {heard_again
              ? '✓ Reading the recording again gives the same.'
              : '! Reading the recording again does not give it.'}
          </p>
        )}
        {missing.map((words) => (
          <p key={words} className="notice warn">
            {displayText(words)}
          </p>
        ))}
      </Part>
      {bytes && <Bytes bytes={bytes} session={session} />}
      {screen && <Screen screen={screen} />}
      {verdict && <Verdict verdict={verdict} />}
      {copies.length > 1 && (
        <Part title="Where else it was found">
          <ul>
            {copies.map(({ ear, standing, from, to, text }) => (
              <li key={`${ear} ${from} ${to}`}>
                <strong>{ear}</strong>, {standing}, {from} to {to}: <span className="soft">{line(text, 200)}</span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {delivery && <Delivery delivery={delivery} />}
      {route.length > 0 && (
        <Part title="What belongs together">
          <ol className="route">
            {(route as unknown as Event[]).map((one) => (
              <li key={one.seq} aria-current={one.seq === event.seq ? 'true' : undefined}>
                <Link href={`/events/${one.seq}`}>{line(one.event_type, 60).replaceAll('_', ' ')}</Link>{' '}
                <span className="soft">{lineOf(one)}</span>
              </li>
            ))}
          </ol>
        </Part>
      )}
      <details>
        <summary>The event as JSON</summary>
        <pre className="bytes">
          <code>{displayText(JSON.stringify(event, null, 2).slice(0, MAX_JSON))}</code>
        </pre>
      </details>
    </article>
  );
}

/** A part of an explanation that exists. */
type Present<K extends keyof Explanation> = { readonly [P in K]: NonNullable<Explanation[P]> };

function Bytes({ bytes, session }: Present<'bytes'> & Pick<Explanation, 'session'>) {
  const [isEscaped, setEscaped] = useState(false);
  return (
    <Part
      title="Its bytes"
      aside={
        <>
          <button
            type="button"
            className="button quiet"
            aria-pressed={isEscaped}
            onClick={() => setEscaped(!isEscaped)}
          >
            {isEscaped ? 'Show as text' : 'Show control characters'}
          </button>
          {session && (
            <Link className="button" href={`/recordings/${session.id}?at=${bytes.from}`}>
              <Icon name="play" /> Show in the recording
            </Link>
          )}
        </>
      }
    >
      <p className="muted">
        Positions {bytes.from} to {bytes.to}, {bytes.printed} bytes
        {bytes.ear === null ? '' : `, found by the ${bytes.ear} reader`}.
      </p>
      {bytes.printed > 0 && (
        <pre className="bytes">
          <code>{displayText(isEscaped ? bytes.escaped : bytes.text)}</code>
        </pre>
      )}
    </Part>
  );
}

function Screen({ screen }: Present<'screen'>) {
  return (
    <Part title="The screen at that time">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must take the keys */}
      <pre className="bytes screen" tabIndex={0}>
        {screen.rows.slice(0, lastRow(screen.rows) + 1).map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a still screen
          <span key={at} data-marked={screen.marked.includes(at)}>
            {displayText(row)}
            {'\n'}
          </span>
        ))}
      </pre>
    </Part>
  );
}

function Verdict({ verdict }: Present<'verdict'>) {
  return (
    <Part title="The check">
      <p className={verdict.accepted ? 'tone-good' : 'tone-bad'}>
        {verdict.accepted ? '✓ Accepted' : `✗ Rejected: ${line(verdict.reason ?? '', 200)}`}
      </p>
      <p className="muted">
        {verdict.schema === null ? 'No schema' : `Schema ${line(verdict.schema, 200)}`}; key {verdict.key}.
      </p>
      <ul>
        {verdict.errors.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <code>{line(path, 100)}</code> {line(message, 300)}
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Delivery({ delivery }: Present<'delivery'>) {
  return (
    <Part title="How the answer was delivered">
      <p>
        {delivery.state === null ? 'Not delivered' : line(delivery.state, 60)}
        {delivery.reason === null ? '' : `: ${line(delivery.reason, 300)}`}
        {delivery.evidence === null ? '' : `. ${line(delivery.evidence, 300)}`}
      </p>
      {delivery.text !== null && (
        <pre className="bytes">
          <code>{displayText(delivery.text)}</code>
        </pre>
      )}
    </Part>
  );
}

const MAX_JSON = 100_000;
const lastRow = (rows: readonly string[]): number => rows.findLastIndex((row) => row.trim() !== '');

function Part({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="explain-part">
      <div className="row wraps">
        <h2 className="grow">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
