/** An item of another machine: its question, and the form that sends the answer there over the hub. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ITEM_BADGES, type Item } from '../../protocol/index.js';
import { MACHINES_KEY, type OtherItem } from '../live/machines.js';
import { Age } from '../parts/age.js';
import { Empty } from '../parts/empty.js';
import { StatePill } from '../parts/state-pill.js';
import { line } from '../parts/words.js';
import { AnswerForm } from './answer-form.js';
import { BackToInbox } from './back-to-inbox.js';
import { Delivery } from './delivery.js';
import { ItemWords } from './item-words.js';

interface OtherItemDetailProps {
  /** Undefined if the item is not open on that machine (any more). */
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
  const back = <BackToInbox href={listHref} />;
  if (!shown) {
    return (
      <>
        <header className="page-head">
          {back}
          <h1>Question</h1>
        </header>
        <Empty title="This question is not open">
          It was answered on its machine, or the machine is on the hub no more.
        </Empty>
      </>
    );
  }
  const { machine, away, onItsWay } = shown;
  const item = answered ?? shown.item;
  const badge = ITEM_BADGES[item.type];
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
          <ItemWords item={item} />
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
