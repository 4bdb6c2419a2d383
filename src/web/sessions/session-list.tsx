/** The sessions as a table, or as cards with live thumbnails. Only what is in sight is on the page. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import {
  branchWords,
  type ChangeSize,
  costWords,
  isAlive,
  type Session,
  shownState,
  usageWords,
} from '../../protocol/index.js';
import { Age } from '../parts/age.js';
import { RowLink } from '../parts/row-link.js';
import { toneOf } from '../parts/state-pill.js';
import { Thumbnail } from '../terminal/thumbnail.js';
import { line } from '../text/label-text.js';
import { machineOf, programOf, type SessionRow } from './session-rows.js';

interface ListProps {
  readonly rows: readonly SessionRow[];
  readonly selected: string | null;
  readonly marked: ReadonlySet<string>;
  readonly onMark: (id: string) => void;
  readonly canMark: boolean;
  /** The changes of the sessions in worktrees of their own, by id. */
  readonly changes?: ReadonlyMap<string, ChangeSize>;
  /** For machines that are away: the time in words, by the id of the session. */
  readonly away?: ReadonlyMap<string, string>;
  /** The address of the page to which a session's row links. */
  readonly base?: string;
  readonly label?: string;
}

const ROW_PX = 44;
const NARROW_ROW_PX = 64;
const GROUP_PX = 36;
const CARD_PX = 216;
/** Maximum number of tags in a row. The number of the other ones is shown. */
const MAX_TAGS = 3;
const MIN_CARD_PX = 260;
const OVERSCAN = 8;

/** Returns the current width of an element. */
function useWidth(place: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const watcher = new ResizeObserver(() => setWidth(element.clientWidth));
    watcher.observe(element);
    setWidth(element.clientWidth);
    return () => watcher.disconnect();
  }, [place]);
  return width;
}

const NARROW_PX = 720;

/** Shows the sessions as a table. It renders only the rows that are visible. */
export function SessionTable(list: ListProps) {
  const { rows, selected, marked, onMark, canMark, changes, away } = list;
  const { base = '/sessions', label = 'List of sessions' } = list;
  const place = useRef<HTMLDivElement>(null);
  const isNarrow = useWidth(place) < NARROW_PX;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: (at) => (rows[at]?.kind === 'group' ? GROUP_PX : isNarrow ? NARROW_ROW_PX : ROW_PX),
    getItemKey: (at) => keyOf(rows[at], at),
    overscan: OVERSCAN,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the width changes the height of the rows
  useEffect(() => virtual.measure(), [isNarrow, virtual]);
  useEffect(() => {
    const at = rows.findIndex((row) => row.kind === 'session' && row.session.id === selected);
    if (at >= 0) virtual.scrollToIndex(at);
  }, [selected, rows, virtual]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and so must be reachable by the keyboard
    <section className="page-body" ref={place} tabIndex={0} aria-label={label}>
      <ul className="session-rows" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, size, key }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <li
              key={key}
              style={{ transform: `translateY(${start}px)`, height: size }}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
            >
              {row.kind === 'group' ? (
                <GroupHead {...row} />
              ) : (
                <TableRow
                  session={row.session}
                  isSelected={row.session.id === selected}
                  isMarked={marked.has(row.session.id)}
                  onMark={canMark && machineOf(row.session) === null ? onMark : null}
                  isListMarkable={canMark}
                  href={`${base}/${row.session.id}`}
                  change={changes?.get(row.session.id)}
                  away={away?.get(row.session.id) ?? ''}
                />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const keyOf = (row: SessionRow | undefined, at: number): string | number =>
  row === undefined ? at : row.kind === 'group' ? `group:${row.title}` : row.session.id;

const GroupHead = ({ title, count }: { readonly title: string; readonly count: number }) => (
  <h2 className="group-head">
    <span className="cut">{line(title, 120)}</span> <span className="muted">{count}</span>
  </h2>
);

interface TableRowProps {
  readonly session: Session;
  readonly isSelected: boolean;
  readonly isMarked: boolean;
  readonly onMark: ((id: string) => void) | null;
  /** The size of the session's changes, if it has a worktree of its own. */
  readonly change: ChangeSize | undefined;
  /** Time since its machine was last seen, in words; empty if the machine is reachable. */
  readonly away: string;
}

const TableRow = memo(function TableRow({
  session,
  isSelected,
  isMarked,
  onMark,
  href,
  change,
  away,
  isListMarkable,
}: TableRowProps & { readonly href: string; readonly isListMarkable: boolean }) {
  const { id, name, command, cwd, open_items, progress, usage, tags = [] } = session;
  return (
    <div className="session-row" data-selected={isSelected} data-marked={isMarked}>
      {onMark ? (
        <MarkBox name={name} isMarked={isMarked} onMark={() => onMark(id)} />
      ) : (
        isListMarkable && <span className="session-mark" />
      )}
      <RowLink href={href} className="session-link" aria-current={isSelected ? 'true' : undefined}>
        <StateMark session={session} />
        <span className="session-name cut">
          {line(name, 80)}
          {away !== '' && <span className="pill tone-warn">{away}</span>}
          {tags.slice(0, MAX_TAGS).map((tag) => (
            <span key={tag} className="tag">
              {line(tag, 40)}
            </span>
          ))}
          {tags.length > MAX_TAGS && (
            <span className="tag" title={line(tags.join(', '), 400)}>
              +{tags.length - MAX_TAGS}
            </span>
          )}
        </span>
        <span className="session-doing cut soft">
          {doing(session) || (
            <span className="session-where muted">{`${line(programOf(session), 60)} · ${line(cwd, 200)}`}</span>
          )}
        </span>
        <span className="session-program cut muted mono" title={line(command.join(' '), 300)}>
          {line(programOf(session), 60)}
        </span>
        <span
          className="session-folder cut muted mono"
          title={line(change ? `${branchWords(change)} in ${cwd}` : cwd, 300)}
        >
          <bdi>{change ? branchWords(change) : line(cwd, 200)}</bdi>
        </span>
        <span className="session-cost muted" title={usage && usageWords(usage)}>
          {costWords(usage)}
        </span>
        <span className="session-progress muted">{progress === null ? '' : `${Math.round(progress)} %`}</span>
        <span className="session-open">
          <OpenCount count={open_items} />
        </span>
        <Age since={session.ended_at ?? session.created_at} />
      </RowLink>
    </div>
  );
});

export function StateMark({ session }: { readonly session: Session }) {
  const state = shownState(session);
  return (
    <span className={`state ${toneOf(state)}`} title={state.words}>
      <span className="state-mark" aria-hidden="true">
        {state.mark}
      </span>
      <span className="state-word">{state.word}</span>
    </span>
  );
}

/** Returns what the session reports about its current work. */
function doing({ current_step, last_error, state }: Session): string {
  if (state === 'failed' && last_error) return line(last_error.message, 160);
  return current_step === null ? '' : line(current_step, 160);
}

type CardRow = { readonly kind: 'group'; readonly title: string; readonly count: number } | readonly Session[];

export function SessionCards({ rows, selected, marked, onMark, canMark, changes, away }: ListProps) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const columns = Math.max(1, Math.floor((width - 16) / (MIN_CARD_PX + 12)));
  const lines = useMemo(() => inLines(rows, columns), [rows, columns]);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => place.current,
    estimateSize: (at) => (isCards(lines[at]) ? CARD_PX : GROUP_PX),
    overscan: 1,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number of columns changes the lines
  useEffect(() => virtual.measure(), [columns, virtual]);
  useEffect(() => {
    const at = lines.findIndex((one) => isCards(one) && one.some(({ id }) => id === selected));
    if (at >= 0) virtual.scrollToIndex(at);
  }, [selected, lines, virtual]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and so must be reachable by the keyboard
    <section className="page-body" ref={place} tabIndex={0} aria-label="List of sessions">
      <div className="session-rows" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, size, key }) => {
          const one = lines[index];
          if (!one) return null;
          return (
            <div key={key} className="card-line" style={{ transform: `translateY(${start}px)`, height: size }}>
              {isCards(one) ? (
                <ul className="cards" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
                  {one.map((session) => (
                    <Card
                      key={session.id}
                      session={session}
                      isSelected={session.id === selected}
                      isMarked={marked.has(session.id)}
                      onMark={canMark && machineOf(session) === null ? onMark : null}
                      change={changes?.get(session.id)}
                      away={away?.get(session.id) ?? ''}
                    />
                  ))}
                </ul>
              ) : (
                <GroupHead {...one} />
              )}
            </div>
          );
        })}
      </div>
    </section>
  );
}

const isCards = (one: CardRow | undefined): one is readonly Session[] => Array.isArray(one);

function inLines(rows: readonly SessionRow[], columns: number): CardRow[] {
  const lines: CardRow[] = [];
  let cards: Session[] = [];
  const flush = (): void => {
    if (cards.length > 0) lines.push(cards);
    cards = [];
  };
  for (const row of rows) {
    if (row.kind === 'group') {
      flush();
      lines.push(row);
      continue;
    }
    cards.push(row.session);
    if (cards.length === columns) flush();
  }
  flush();
  return lines;
}

const Card = memo(function Card({ session, isSelected, isMarked, onMark, change, away }: TableRowProps) {
  const { id, name, open_items, exit_code, signal, usage } = session;
  return (
    <li className="card" data-selected={isSelected} data-marked={isMarked}>
      <RowLink href={`/sessions/${id}`} className="card-link" aria-current={isSelected ? 'true' : undefined}>
        <span className="card-screen">
          {isAlive(session) && session.workflow_id === undefined && machineOf(session) === null ? (
            <Thumbnail session={id} label={line(name, 60)} />
          ) : (
            <span className="card-ended muted">
              {machineOf(session) === null ? '' : 'On another machine: '}
              {signal ?? (exit_code === null ? shownState(session).words : `exit code ${exit_code}`)}
            </span>
          )}
        </span>
        <span className="card-foot">
          <span className="row">
            <span className="session-name cut grow">{line(name, 60)}</span>
            {away !== '' && <span className="pill tone-warn">{away}</span>}
            <OpenCount count={open_items} />
            <Age since={session.ended_at ?? session.created_at} />
          </span>
          <span className="row">
            <StateMark session={session} />
            <span className="cut soft grow">{doing(session) || line(programOf(session), 60)}</span>
            {change && <span className="card-change cut muted mono">{branchWords(change, 24)}</span>}
            {usage && (
              <span className="muted" title={usageWords(usage)}>
                {costWords(usage)}
              </span>
            )}
          </span>
        </span>
      </RowLink>
      {onMark && <MarkBox name={name} isMarked={isMarked} onMark={() => onMark(id)} />}
    </li>
  );
});

interface MarkBoxProps {
  readonly name: string;
  readonly isMarked: boolean;
  readonly onMark: () => void;
}

const MarkBox = ({ name, isMarked, onMark }: MarkBoxProps) => (
  <input
    type="checkbox"
    className="session-mark"
    checked={isMarked}
    aria-label={`Mark ${line(name, 60)}`}
    onChange={onMark}
  />
);

const OpenCount = ({ count }: { readonly count: number }) =>
  count > 0 && (
    <span className="count" title={`${count} open`}>
      {count}
      <span className="hidden-visually"> open</span>
    </span>
  );
