/** An item of another machine: its question, and the form that sends the answer there over the hub. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { displayText, ITEM_BADGES, type Item, messageWords } from '../../protocol/index.js';
import { MACHINES_KEY, type OtherItem } from '../live/machines.js';
import { Age } from '../parts/age.js';
import { Empty } from '../parts/empty.js';
import { Icon } from '../parts/icon.js';
import { Markdown } from '../parts/markdown.js';
import { StatePill } from '../parts/state-pill.js';
import { line } from '../parts/words.js';
import { AnswerForm } from './answer-form.js';
import { Delivery } from './delivery.js';

interface OtherItemDetailProps {
  /** Undefined if the item is not open there (any more). */
  readonly entry: OtherItem | undefined;
  readonly listHref: string;
}

export function OtherItemDetail({ entry, listHref }: OtherItemDetailProps) {
  const queries = useQueryClient();
  const [answered, setAnswered] = useState<Item | null>(null);
  const last = useRef(entry); // shown after the item has closed there
  useEffect(() => {
    if (entry) last.current = entry;
  }, [entry]);
  const shown = entry ?? last.current;
  const back = (
    <Link href={listHref} className="button quiet icon-button back" aria-label="Back to the list">
      <Icon name="back" />
    </Link>
  );
  if (!shown) {
    return (
      <>
        <header className="page-head">{back}</header>
        <Empty title="This question is not open">
          It was answered on its machine, or the machine is on the hub no more.
        </Empty>
      </>
    );
  }
  const { machine, away, onItsWay } = shown;
  const item = answered ?? shown.item;
  const badge = ITEM_BADGES[item.type];
  const { subject, sections } = messageWords(item);
  return (
    <>
      <header className="page-head">
        {back}
        <StatePill badge={badge} word={badge.word} />
        <h1 className="asker cut grow">{line(shown.item.session_name, 80)}</h1>
        {away !== '' && <span className="pill tone-warn">{away}</span>}
        <Age since={item.opened_at} />
      </header>
      <div className="page-body">
        <article className="item" data-machine={machine} data-state={item.state}>
          <div className="question">
            <Markdown text={subject} />
          </div>
          {sections.map(({ title, text, isMarkdown }) => (
            <section key={title ?? ''} className="item-section">
              {title !== null && <h2>{title}</h2>}
              {isMarkdown ? <Markdown text={text} /> : <pre className="plain">{displayText(text)}</pre>}
            </section>
          ))}
          {answered && <Delivery item={answered} />}
          {!answered && onItsWay !== '' && (
            <p className="notice" role="status">
              The answer {line(onItsWay)} is on its way. {line(machine, 60)} gets it as soon as it is back.
            </p>
          )}
          {!answered && onItsWay === '' && entry && (
            <>
              {away !== '' && (
                <p className="notice warn">
                  {line(machine, 60)} is {away}. It gets your answer as soon as it is back.
                </p>
              )}
              <AnswerForm
                item={item}
                machine={machine}
                onAnswered={(output) => {
                  if (output) setAnswered(output);
                  void queries.invalidateQueries({ queryKey: MACHINES_KEY });
                }}
              />
            </>
          )}
          {!answered && !entry && <p className="notice">It was closed there, and needs no answer any more.</p>}
        </article>
      </div>
    </>
  );
}
