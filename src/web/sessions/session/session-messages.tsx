/**
 * Lists the messages of a session and the answers to them. Each entry links to its bytes, if they are on this machine.
 */
import { useRef, useState } from 'react';
import { Link } from 'wouter';
import {
  type Event,
  eventWords,
  extraOf,
  type Message,
  messageHeading,
  messageLine,
  messageWords,
} from '../../../protocol/index.js';
import { useNarrow } from '../../browser/use-narrow.js';
import { Sections } from '../../inbox/item-words.js';
import { useOtherEvents } from '../../live/other-events.js';
import { useEvents } from '../../live/use-events.js';
import { Age } from '../../parts/age.js';
import { Empty } from '../../parts/empty.js';
import { toneOf } from '../../parts/state-pill.js';
import { line } from '../../text/label-text.js';
import { Markdown } from '../../text/markdown.js';
import { markdownLine } from '../../text/markdown-line.js';
import { useFollowedEnd } from './use-followed-end.js';

const TYPES = ['message', 'message_rejected', 'item_answered', 'answer_stalled', 'item_withdrawn'] as const;
/** Number of messages shown at first, the newest ones. Older ones are shown on request. */
const PAGE = 100;
/** On a phone, the messages are below the terminal. */
const NARROW_PAGE = 5;

interface MessagesProps {
  /** The id of the session on its machine. */
  readonly session: string;
  readonly isReading: boolean;
}

export function SessionMessages({ session, isReading }: MessagesProps) {
  return <MessageList events={useEvents({ types: TYPES, session })} session={session} isReading={isReading} />;
}

export function OtherMessages({ machine, session, isReading }: MessagesProps & { readonly machine: string }) {
  const events = useOtherEvents({ machine, session, types: TYPES });
  return <MessageList events={events} session={null} isReading={isReading} />;
}

interface ListProps {
  readonly events: readonly Event[] | null;
  /** The session whose recording and events are linked; null for one of another machine, which keeps them. */
  readonly session: string | null;
  readonly isReading: boolean;
}

function MessageList({ events, session, isReading }: ListProps) {
  const page = useNarrow() ? NARROW_PAGE : PAGE;
  /** Number of the oldest messages that are not shown; null until there are messages. */
  const [hidden, setHidden] = useState<number | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const follow = useFollowedEnd(list, events ?? [], isReading);
  if (events === null) return <div className="messages" aria-busy="true" />;
  if (events.length === 0) {
    return (
      <Empty title="It has said nothing yet">
        Questions, progress, errors and results that the program reports appear here
        {session !== null && ', each with its place in the recording'}.
      </Empty>
    );
  }
  if (hidden === null) setHidden(Math.max(0, events.length - page));
  const older = hidden ?? 0;
  return (
    <>
      {older > 0 && (
        <button type="button" className="button messages-more" onClick={() => setHidden(Math.max(0, older - PAGE))}>
          Show {Math.min(PAGE, older)} older ones
        </button>
      )}
      <ol className="messages" aria-label="Messages, the newest last" ref={list}>
        {events.slice(older).map((event) => (
          <li key={event.seq} className="message">
            <MessageRow event={event} session={session} />
          </li>
        ))}
      </ol>
      {follow.unseen > 0 && (
        <button type="button" className="button messages-new" onClick={follow.toEnd}>
          {follow.unseen} new
        </button>
      )}
    </>
  );
}

function MessageRow({ event, session }: { readonly event: Event; readonly session: string | null }) {
  const head = headOf(event);
  const origin = 'origin' in event ? (event.origin as { readonly from: number }) : null;
  return (
    <>
      <div className="row">
        <span className={`pill ${head.tone}`}>{head.word}</span>
        <span className="grow" />
        <Age since={event.timestamp} />
      </div>
      {event.event_type === 'message' ? (
        <MessageText message={event.message} />
      ) : (
        <p className="soft">{markdownLine(eventWords(event)?.text ?? '', 400)}</p>
      )}
      {session !== null && (
        <div className="row message-links">
          {origin && <Link href={`/recordings/${session}?at=${origin.from}`}>Show in the recording</Link>}
          <Link href={`/events/${event.seq}`}>Explain</Link>
        </div>
      )}
    </>
  );
}

const WORDS: Partial<Record<Event['event_type'], readonly [string, string]>> = {
  message_rejected: ['not understood', 'tone-warn'],
  item_answered: ['answered', 'tone-good'],
  answer_stalled: ['answer stalled', 'tone-bad'],
  item_withdrawn: ['withdrawn', 'tone-dim'],
};

function headOf(event: Event): { readonly word: string; readonly tone: string } {
  if (event.event_type === 'message') {
    const { style } = messageLine(event.message);
    return { word: line(messageHeading(event.message), 40), tone: style === undefined ? '' : toneOf({ style }) };
  }
  const [word, tone] = WORDS[event.event_type] ?? [event.event_type, ''];
  return { word, tone };
}

function MessageText({ message }: { readonly message: Message }) {
  const { text } = messageLine(message);
  const { subject, sections } = messageWords({ ...message, ...extraOf(message) });
  return (
    <>
      {message.type === 'STATUS_UPDATE' || subject === '' ? (
        <p>{markdownLine(text, 600)}</p>
      ) : (
        <Markdown text={subject} />
      )}
      {sections.length > 0 && (
        <details className="more">
          <summary>More</summary>
          <Sections sections={sections} />
        </details>
      )}
    </>
  );
}
