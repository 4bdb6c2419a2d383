/** The tasks: their board by state, a new one, and one with its plan, questions, attempts and history. */
import { useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { shownError, shownTask, type TaskSummary } from '../../protocol/index.js';
import { stepped, useKeys } from '../browser/use-keys.js';
import { useReading } from '../browser/use-reading.js';
import { useSearchState } from '../browser/use-search-state.js';
import { useLive, useOperation } from '../live/live.js';
import { Age } from '../parts/age.js';
import { Empty } from '../parts/empty.js';
import { ErrorNote } from '../parts/error-note.js';
import { SearchField } from '../parts/search-field.js';
import { StatePill } from '../parts/state-pill.js';
import { line } from '../text/label-text.js';
import { NewTask } from './new-task.js';
import { TaskView } from './task-view.js';
import { type Column, columnsOf, hasWords, taskAgent, taskTitle } from './task-words.js';
import './tasks.css';

/** The newest tasks. `orchd task list` has all. */
const MAX_TASKS = 500;
/** The path `/tasks/+new`. No id of a task begins with `+`. */
const NEW = '/tasks/+new';

export default function TasksPage({ rest }: { readonly rest: string }) {
  if (rest === '+new') return <NewTask />;
  return rest === '' ? <Board /> : <TaskView key={rest} id={rest} />;
}

function Board() {
  const { device } = useLive();
  const [, go] = useLocation();
  const { data: tasks, error, refetch } = useOperation(['tasks'], 'task.list', { limit: MAX_TASKS });
  const [words, setWords] = useSearchState('q');
  const field = useRef<HTMLInputElement>(null);
  const found = tasks?.filter((task) => hasWords(task, words));
  const [isReading, place] = useReading();
  const held = useRef<readonly Column[]>([]);
  const columns = columnsOf(found ?? [], isReading ? held.current : []);
  held.current = columns;
  const mayCreate = device.role === 'all';
  useKeys({
    n: () => mayCreate && go(NEW),
    '/': () => field.current?.focus(),
    j: () => stepFocus(1),
    k: () => stepFocus(-1),
  });
  return (
    <>
      <header className="page-head">
        <h1>Tasks</h1>
        <SearchField label="Search tasks" placeholder="Search" field={field} value={words} onChange={setWords} />
        <span className="grow" />
        {mayCreate && (
          <Link className="button primary" href={NEW}>
            New task
          </Link>
        )}
      </header>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {tasks && tasks.length === 0 && (
        <Empty title="A task is planned before it is done" command={'orchd task create "Add a --json option"'}>
          A planner reads the task, asks what it must know, and writes a plan with its acceptance criteria. Then an
          agent does it, and reports. Create a task here, or in a terminal:
        </Empty>
      )}
      {tasks && tasks.length > 0 && found?.length === 0 && (
        <Empty title="No task has these words">
          Task texts, agents, states and ids are searched. <Link href="/tasks">Show all tasks</Link>
        </Empty>
      )}
      {found && found.length > 0 && (
        <div className="board" ref={place}>
          {columns.map((column) => (
            <BoardColumn key={column.title} column={column} />
          ))}
        </div>
      )}
    </>
  );
}

/** Moves the focus among the cards of the board, column by column. */
function stepFocus(by: number): void {
  const cards = [...document.querySelectorAll<HTMLElement>('.board .task-card-link')];
  const at = cards.indexOf(document.activeElement as HTMLElement);
  stepped(cards, at, by)?.focus();
}

function BoardColumn({ column: { title, tasks } }: { readonly column: Column }) {
  return (
    <section className="board-column" aria-label={title} data-empty={tasks.length === 0}>
      <h2 className="row">
        <span>{title}</span>
        <span className="muted">{tasks.length}</span>
      </h2>
      <ul>
        {tasks.map((task) => (
          <Card key={task.id} task={task} />
        ))}
      </ul>
    </section>
  );
}

function Card({ task }: { readonly task: TaskSummary }) {
  const { id, prompt, open_questions, ended_at, created_at } = task;
  const { badge, word } = shownTask(task);
  const agent = taskAgent(task);
  const error = shownError(task);
  return (
    <li className="task-card">
      <Link className="task-card-link" href={`/tasks/${id}`} data-task={id}>
        <span className="task-card-title">{taskTitle(prompt)}</span>
        {error && <span className="task-card-note tone-bad">{line(error.message, 120)}</span>}
        <span className="row task-card-foot">
          <StatePill badge={badge} word={word} />
          {open_questions > 1 && <span className="muted small">{open_questions} questions</span>}
          <span className="row task-card-by">
            {agent !== '' && <span className="muted small cut">{agent}</span>}
            <Age since={ended_at ?? created_at} />
          </span>
        </span>
      </Link>
    </li>
  );
}
