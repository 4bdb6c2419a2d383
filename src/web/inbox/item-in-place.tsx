/** A question where its work is shown: a run, a task, a step of a workflow. It is answered there. */
import { ITEM_BADGES, type Item } from '../../protocol/index.js';
import { useOperation } from '../live/live.js';
import { Age } from '../parts/age.js';
import { ErrorNote } from '../parts/error-note.js';
import { StatePill } from '../parts/state-pill.js';
import { AnswerForm } from './answer-form.js';
import { Delivery } from './delivery.js';
import { ItemWords } from './item-words.js';

interface ItemInPlaceProps {
  readonly id: string;
  /** The item, if the page has it already. It is shown until the newest state is there. */
  readonly known?: Item;
}

export function ItemInPlace({ id, known }: ItemInPlaceProps) {
  const { data, error, refetch } = useOperation(['item', id], 'inbox.show', { item: id });
  const item = data ?? known;
  if (!item) return error ? <ErrorNote error={error} onRetry={() => void refetch()} /> : null;
  const badge = ITEM_BADGES[item.type];
  return (
    <div className="item-in-place" data-item={item.id} data-state={item.state}>
      <p className="row">
        <StatePill badge={badge} word={badge.word} />
        <Age since={item.opened_at} />
      </p>
      <ItemWords item={item} />
      {item.state === 'open' && <AnswerForm item={item} />}
      {item.state === 'answered' && <Delivery item={item} />}
      {item.state === 'withdrawn' && <p className="notice">It was withdrawn, and needs no answer any more.</p>}
    </div>
  );
}
