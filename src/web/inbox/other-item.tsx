/** An item of another machine: its question, and the form that sends the answer there over the hub. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ITEM_BADGES, type Item } from '../../protocol/index.js';
import { useLive } from '../live/live.js';
import { MACHINES_KEY, type OtherItem } from '../live/machines.js';
import { Age } from '../parts/age.js';
import { Empty } from '../parts/empty.js';
import { BackLink } from '../parts/split.js';
import { StatePill } from '../parts/state-pill.js';
import { line } from '../text/label-text.js';
import { AnswerForm } from './answer-form.js';
import { Delivery } from './delivery.js';
import { ItemWords } from './item-words.js';

interface OtherItemDetailProps {
  /** `build/itm_…` */
  readonly id: string;
  /** Undefined if the item is not open on that machine (any more). */
  readonly entry: OtherItem | undefined;
  readonly listHref: string;
}

export function OtherItemDetail({ id, entry, listHref }: OtherItemDetailProps) {
  const queries = useQueryClient();
  const closed = useClosedItem(id, !entry);
  const [answered, setAnswered] = useState<Item | null>(null);
  const last = useRef(entry); // shown after the item has closed there
  useEffect(() => {
    if (entry) last.current = entry;
  }, [entry]);
  const shown = entry ?? last.current ?? closed;
  const back = <BackLink href={listHref} />;
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
  const item = answered ?? (entry ? shown : (closed ?? shown)).item;
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
          {item.state === 'answered' && <Delivery item={item} isElsewhere />}
          {item.state === 'withdrawn' && <p className="notice">It was withdrawn, and needs no answer any more.</p>}
          {!answered && entry && onItsWay !== '' && (
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
          {!answered && !entry && !closed && (
            <p className="notice">It was closed there, and needs no answer any more.</p>
          )}
        </article>
      </div>
    </>
  );
}

/**
 * An item that the hub does not list, from its machine. Undefined while it is not known: the machine does not reply, or
 * the hub will list the item soon.
 */
function useClosedItem(id: string, isEnabled: boolean): OtherItem | undefined {
  const { api } = useLive();
  const [machine = '', itemId = ''] = id.split('/');
  const { data } = useQuery({
    queryKey: ['other-item', id],
    queryFn: async ({ signal }): Promise<OtherItem | null> => {
      const input = { machine, operation: 'inbox.show', input: { item: itemId } } as const;
      const { output } = await api.call('hub.call', input, signal);
      const item = output as Item | undefined; // the operation determines it
      if (!item || item.state === 'open') return null;
      return { machine, away: '', onItsWay: '', item: { ...item, session_name: `${machine}/${item.session_name}` } };
    },
    enabled: isEnabled,
    staleTime: 0, // it can be asked before the list of open items has come
    retry: false,
  });
  return data ?? undefined;
}
