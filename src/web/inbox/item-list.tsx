/** The list of the inbox. Only the rows in sight are on the page, so that a thousand items scroll at once. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useEffect, useRef } from 'react';
import { type Item, subjectOf } from '../../protocol/index.js';
import { useOperation } from '../live/live.js';
import { Age } from '../parts/age.js';
import { RowLink } from '../parts/row-link.js';
import { line } from '../text/label-text.js';
import { markdownLine } from '../text/markdown-line.js';
import { answerLine } from './delivery.js';
import { ItemMark } from './item-mark.js';

export interface ListedItem {
  readonly id: string;
  readonly href: string;
  readonly item: Item;
  /** True if the item has closed while the page is open. It is loaded again by its id. */
  readonly isRecent: boolean;
  /** The time for which the item's machine is away, in words; empty if it is not away. */
  readonly away: string;
  /** An answer that has not reached the item's machine yet; empty if there is none. */
  readonly onItsWay: string;
}

interface ItemListProps {
  readonly rows: readonly ListedItem[];
  readonly shownId: string;
  /** Shown above the rows. */
  readonly children: ReactNode;
}

/** Height of a row whose question takes one line. Each row is measured when it is drawn. */
const ROW_PX = 60;
const OVERSCAN = 8;
const PADDING_PX = 8;

export function ItemList({ rows, shownId, children }: ItemListProps) {
  const place = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => ROW_PX,
    getItemKey: (at) => rows[at]?.id ?? at,
    overscan: OVERSCAN,
    paddingStart: PADDING_PX,
    paddingEnd: PADDING_PX,
  });
  const shownAt = rows.findIndex(({ id }) => id === shownId);
  useEffect(() => {
    if (shownAt >= 0) virtual.scrollToIndex(shownAt);
  }, [shownAt, virtual]);
  return (
    <div className="page-body" ref={place}>
      {children}
      <ul className="items" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
            >
              {row.isRecent ? (
                <RecentRow row={row} isShown={row.id === shownId} />
              ) : (
                <ItemRow row={row} item={row.item} isShown={row.id === shownId} />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface RowProps {
  readonly row: ListedItem;
  readonly isShown: boolean;
}

/** The row of an item that has closed, with the delivery of its answer. */
function RecentRow({ row, isShown }: RowProps) {
  const { data } = useOperation(['item', row.id], 'inbox.show', { item: row.id });
  return <ItemRow item={data ?? row.item} row={row} isShown={isShown} />;
}

const ItemRow = memo(function ItemRow({ item, row, isShown }: RowProps & { readonly item: Item }) {
  const { href, away, onItsWay } = row;
  return (
    <RowLink href={href} className="item-row" aria-current={isShown ? 'true' : undefined} data-state={item.state}>
      <ItemMark item={item} />
      <span className="item-row-text">
        <span className="row">
          <span className="item-session cut grow">{line(item.session_name, 80)}</span>
          {away !== '' && <span className="pill tone-warn">{away}</span>}
          {item.state !== 'open' && <span className="item-outcome muted cut">{answerLine(item)}</span>}
          <Age since={item.opened_at} />
        </span>
        <span className="item-subject">{markdownLine(subjectOf(item), 200)}</span>
        {onItsWay !== '' && <span className="item-outcome muted cut">On its way: {line(onItsWay, 160)}</span>}
      </span>
    </RowLink>
  );
});
