/** One item: the asking session, the question with its context, and the form for the answer. */
import { Fragment } from 'react';
import { Link } from 'wouter';
import { ITEM_BADGES, type Item, type Session } from '../../protocol/index.js';
import { useOperation } from '../live/live.js';
import { Age } from '../parts/age.js';
import { NotThere } from '../parts/error-note.js';
import { Facts } from '../parts/facts.js';
import { BackLink } from '../parts/split.js';
import { StatePill } from '../parts/state-pill.js';
import { line } from '../text/label-text.js';
import { AnswerForm } from './answer-form.js';
import { Delivery } from './delivery.js';
import { ItemWords } from './item-words.js';

/** Maximum number of sessions in the path of the asking session. */
const MAX_ASKERS = 6;

interface ItemDetailProps {
  readonly id: string;
  /** The list that contains the item; a phone shows a link back to it. */
  readonly listHref: string;
}

export function ItemDetail({ id, listHref }: ItemDetailProps) {
  const { data: item, error, refetch } = useOperation(['item', id], 'inbox.show', { item: id });
  const sessions = useOperation(['sessions'], 'session.list', {}).data;
  const back = <BackLink href={listHref} />;
  if (!item) {
    return (
      <>
        <header className="page-head">
          {back}
          <h1>Question</h1>
        </header>
        {error && <NotThere title="This question is not there" error={error} onRetry={() => void refetch()} />}
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
          <ItemFacts item={item} session={sessions?.find(({ id }) => id === item.session_id)} />
        </article>
      </div>
    </>
  );
}

/** The asking session after the sessions that led to it: `planner › coder`. Each leads to its page. */
function Asker({ item, sessions }: { readonly item: Item; readonly sessions: readonly Session[] }) {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const path = [{ id: item.session_id, name: item.session_name }];
  let parent = byId.get(item.session_id)?.parent_session_id ?? null;
  while (parent !== null && path.length < MAX_ASKERS) {
    const session = byId.get(parent);
    path.unshift({ id: parent, name: session?.name ?? parent });
    parent = session?.parent_session_id ?? null;
  }
  return (
    <h1 className="asker cut grow" title={path.map(({ name }) => line(name, 60)).join(' › ')}>
      {path.map(({ id, name }, at) => (
        <Fragment key={id}>
          {at > 0 && <span className="muted"> › </span>}
          <Link href={`/sessions/${id}`} className={at < path.length - 1 ? 'muted' : ''}>
            {line(name, at < path.length - 1 ? 40 : 80)}
          </Link>
        </Fragment>
      ))}
    </h1>
  );
}

/** The folder and program of the item, and links to all that it belongs to. */
function ItemFacts({ item, session }: { readonly item: Item; readonly session: Session | undefined }) {
  const { id, run_id, task_id, workflow_id, origin } = item;
  const isRecorded = session !== undefined && session.workflow_id === undefined;
  return (
    <Facts
      facts={[
        ['Folder', session && line(session.cwd, 400)],
        ['Program', session && line(session.command.join(' '), 120)],
        ['Task', task_id && <Link href={`/tasks/${task_id}`}>{task_id}</Link>],
        ['Run', run_id && <Link href={`/runs/${run_id}`}>{run_id}</Link>],
        ['Workflow', workflow_id && <Link href={`/workflows/${workflow_id}`}>{workflow_id}</Link>],
        ['Item', id],
        [
          'Origin',
          <span key={id} className="links">
            <Link href={`/events/${id}`}>Explain</Link>
            {isRecorded && <Link href={`/recordings/${session.id}?at=${origin.from}`}>Show in the recording</Link>}
          </span>,
        ],
      ]}
    />
  );
}
