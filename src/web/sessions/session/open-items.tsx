/**
 * The open questions of a session, answered in place, below its messages.
 *
 * They have a place of their own, so that a new question moves nothing. While the person reads above, and on a phone,
 * a question takes one line. It opens by a click, or when the person reads no longer.
 */
import { useState } from 'react';
import { Link } from 'wouter';
import { type Item, isAlive, messageWords, type Session, subjectOf } from '../../../protocol/index.js';
import { useNarrow } from '../../browser/use-narrow.js';
import { AnswerForm } from '../../inbox/answer-form.js';
import { ItemMark } from '../../inbox/item-mark.js';
import { useOperation } from '../../live/live.js';
import { Age } from '../../parts/age.js';
import { Markdown } from '../../text/markdown.js';
import { markdownLine } from '../../text/markdown-line.js';

interface OpenItemsProps {
  readonly session: Session;
  readonly isReading: boolean;
}

export function OpenItems({ session, isReading }: OpenItemsProps) {
  const count = session.open_items;
  const { data } = useOperation(['inbox'], 'inbox.list', { session: session.id }, count > 0);
  const items = count > 0 ? (data ?? []) : [];
  const isNarrow = useNarrow();
  const [opened, setOpened] = useState('');
  const [first] = items;
  if (!first) return <NoOpenItems session={session} />;
  const isOpen = opened === first.id;
  if (!isOpen && !isReading && !isNarrow) setOpened(first.id);
  return (
    <section className="open-items" aria-label="Open questions">
      {isOpen ? (
        items.map((item, at) => <OpenItem key={item.id} item={item} isFirst={at === 0} />)
      ) : (
        <button
          type="button"
          className="open-line"
          aria-expanded={false}
          data-item={first.id}
          onClick={() => setOpened(first.id)}
        >
          <ItemMark item={first} />
          <span className="cut grow">{markdownLine(subjectOf(first), 200)}</span>
          {items.length > 1 && <span className="count">{items.length}</span>}
          <Age since={first.opened_at} />
        </button>
      )}
    </section>
  );
}

/** Takes the room of a question, so that the page does not jump when the session asks its first one. */
export const NoOpenItems = ({ session }: { readonly session: Session }) =>
  isAlive(session) ? <p className="open-items open-line muted">No open question</p> : null;

function OpenItem({ item, isFirst }: { readonly item: Item; readonly isFirst: boolean }) {
  return (
    <article className="open-item">
      <div className="row">
        <ItemMark item={item} />
        <Link href={`/inbox/${item.id}`} className="grow">
          It waits for you
        </Link>
        <Age since={item.opened_at} />
      </div>
      <Markdown text={messageWords(item).subject} />
      {/* The keys of a form belong to one question. */}
      {isFirst && <AnswerForm item={item} />}
    </article>
  );
}
