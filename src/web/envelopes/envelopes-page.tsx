/** The output envelopes of sessions and runs: what each delivers, and its text for people. */
import { useMemo } from 'react';
import { Link } from 'wouter';
import { useListKeys } from '../browser/use-keys.js';
import { useEvents } from '../live/use-events.js';
import { Age } from '../parts/age.js';
import { Empty } from '../parts/empty.js';
import { BackLink, Split } from '../parts/split.js';
import { line } from '../text/label-text.js';
import { EnvelopeStatus, EnvelopeView } from './envelope-view.js';
import { envelopesIn, hasEnvelope, type ListedEnvelope } from './envelopes-in.js';

/** The types of events that may carry an envelope. */
const CARRIERS = ['message', 'result'] as const;

export default function EnvelopesPage({ rest }: { readonly rest: string }) {
  const events = useEvents({ types: CARRIERS, keeps: hasEnvelope });
  const envelopes = useMemo(() => envelopesIn(events ?? []), [events]);
  const chosen = envelopes.find(({ seq }) => String(seq) === rest);
  const to = (seq: string): string => (seq === '' ? '/envelopes' : `/envelopes/${seq}`);
  useListKeys(
    envelopes.map(({ seq }) => String(seq)),
    rest,
    to,
  );
  return (
    <Split
      title="Envelopes"
      list={
        <>
          {events && envelopes.length === 0 && <p className="muted list-note">No agent has ended with one yet.</p>}
          <ul className="rows">
            {envelopes.map((one) => (
              <EnvelopeRow key={one.seq} envelope={one} href={to(String(one.seq))} isShown={one === chosen} />
            ))}
          </ul>
        </>
      }
      chosen={
        rest === '' ? null : (
          <>
            <header className="page-head">
              <BackLink href={to('')} />
              <h1 className="grow cut">{chosen ? agentOf(chosen) : 'Envelope'}</h1>
              {chosen && <Source envelope={chosen} />}
            </header>
            <div className="page-body">
              {chosen && (
                <div className="sheet">
                  <EnvelopeView data={chosen.data} human={chosen.human} />
                </div>
              )}
              {events && !chosen && (
                <Empty title="This envelope is not there">Its event was removed, or is not of an envelope.</Empty>
              )}
            </div>
          </>
        )
      }
      nothing={
        <Empty
          title="An envelope is a result for programs and people"
          command={'orchd runs start --output-format envelope "Review it"'}
        >
          Agents end their work with an envelope: a status, what they deliver, what comes next, and an explanation.
          Every envelope of a session or a run is kept here.
        </Empty>
      }
    />
  );
}

const agentOf = ({ data }: ListedEnvelope): string => {
  const metadata = data['metadata'];
  const agent = typeof metadata === 'object' && metadata !== null && 'agent' in metadata ? metadata.agent : '';
  return line(typeof agent === 'string' && agent !== '' ? agent : 'agent', 80);
};

function Source({ envelope: { runId, sessionId } }: { readonly envelope: ListedEnvelope }) {
  if (runId !== null) return <Link href={`/runs/${runId}`}>its run</Link>;
  return sessionId === null ? null : <Link href={`/sessions/${sessionId}`}>its session</Link>;
}

interface RowProps {
  readonly envelope: ListedEnvelope;
  readonly href: string;
  readonly isShown: boolean;
}

function EnvelopeRow({ envelope, href, isShown }: RowProps) {
  const { data, at } = envelope;
  const summary = data['summary'];
  return (
    <li>
      <Link href={href} className="one-row" aria-current={isShown ? 'true' : undefined}>
        <span className="one-row-text">
          <span className="row">
            <span className="one-row-title cut grow">{agentOf(envelope)}</span>
            <EnvelopeStatus status={data['status']} />
            <Age since={at} />
          </span>
          <span className="one-row-note cut">{line(typeof summary === 'string' ? summary : '', 160)}</span>
        </span>
      </Link>
    </li>
  );
}
