/** One item: the asking session, the question with its context, and the form for the answer. */
import { ITEM_BADGES, type Item, type Session } from '../../protocol/index.js';
import { useOperation } from '../live/live.js';
import { Age } from '../parts/age.js';
import { Empty } from '../parts/empty.js';
import { ErrorNote } from '../parts/error-note.js';
import { StatePill } from '../parts/state-pill.js';
import { line } from '../text/label-text.js';
import { AnswerForm } from './answer-form.js';
import { BackToInbox } from './back-to-inbox.js';
import { Delivery } from './delivery.js';
import { ItemWords } from './item-words.js';

interface ItemDetailProps {
  readonly id: string;
  /** The list that contains the item; a phone shows a link back to it. */
  readonly listHref: string;
}

export function ItemDetail({ id, listHref }: ItemDetailProps) {
  const { data: item, error, refetch } = useOperation(['item', id], 'inbox.show', { item: id });
  const sessions = useOperation(['sessions'], 'session.list', {}).data;
  const back = <BackToInbox href={listHref} />;
  if (!item) {
    return (
      <>
        <header className="page-head">
          {back}
          <h1>Question</h1>
        </header>
        {error && (
          <Empty title="This question is not there">
            <ErrorNote error={error} onRetry={() => void refetch()} />
          </Empty>
        )}
      </>
    );
  }
  const badge = ITEM_BADGES[item.type];
  return (
    <>
      <header className="page-head">
        {back}
        <StatePill badge={badge} word={badge.word} />
        <Asker item={item} sessions={sessions ?? []} />
        <Age since={item.opened_at} />
      </header>
      <div className="page-body">
        <article className="item">
          <ItemWords item={item} />
          {item.state === 'open' && <AnswerForm item={item} />}
          {item.state === 'answered' && <Delivery item={item} />}
          {item.state === 'withdrawn' && <p className="notice">It was withdrawn, and needs no answer any more.</p>}
          <Facts item={item} session={sessions?.find(({ id }) => id === item.session_id)} />
        </article>
      </div>
    </>
  );
}

/** The asking session after the sessions that led to it: `planner › coder`. */
function Asker({ item, sessions }: { readonly item: Item; readonly sessions: readonly Session[] }) {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const names = [item.session_name];
  let parent = byId.get(item.session_id)?.parent_session_id ?? null;
  while (parent !== null && names.length < 6) {
    const session = byId.get(parent);
    names.unshift(session?.name ?? parent);
    parent = session?.parent_session_id ?? null;
  }
  return (
    <h1 className="asker cut grow" title={names.map((name) => line(name, 60)).join(' › ')}>
      {names.slice(0, -1).map((name, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a path, whose parts never move
        <span className="muted" key={at}>
          {line(name, 40)} ›{' '}
        </span>
      ))}
      {line(item.session_name, 80)}
    </h1>
  );
}

/** The folder, program, task, run and workflow of the item. */
function Facts({ item, session }: { readonly item: Item; readonly session: Session | undefined }) {
  const { run_id, task_id, workflow_id } = item;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Folder', session && line(session.cwd, 400)],
    ['Program', session && line(session.command.join(' '), 120)],
    ['Task', task_id],
    ['Run', run_id],
    ['Workflow', workflow_id],
    ['Item', item.id],
  ];
  return (
    <dl className="facts">
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="mono">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
