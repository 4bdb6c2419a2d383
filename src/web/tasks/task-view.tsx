/** One task: its state, its question, its plan and report, its attempts side by side, and its history. */
import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { isTaskOver, shownTask, type Task } from '../../protocol/index.js';
import { useNarrow } from '../browser/use-narrow.js';
import { ItemInPlace } from '../inbox/item-in-place.js';
import { useLive, useOperation } from '../live/live.js';
import { useSettled } from '../live/use-settled.js';
import { Took } from '../parts/age.js';
import { ConfirmButton } from '../parts/confirm.js';
import { Waiting } from '../parts/empty.js';
import { ErrorNote, Failure, NotThere } from '../parts/error-note.js';
import { Facts } from '../parts/facts.js';
import { ScrollRegion } from '../parts/scroll-region.js';
import { BackLink } from '../parts/split.js';
import { StatePill } from '../parts/state-pill.js';
import { limitWords } from '../runs/run-words.js';
import { line } from '../text/label-text.js';
import { Markdown } from '../text/markdown.js';
import { TaskAttempts } from './task-attempts.js';
import { TaskHistory } from './task-history.js';
import { TaskPlanView, TaskReport } from './task-plan.js';
import { nextActs, taskAgent, taskTitle } from './task-words.js';
import '../runs/runs.css';

export function TaskView({ id }: { readonly id: string }) {
  const { data: task, error, refetch } = useOperation(['tasks', id], 'task.show', { task: id });
  const isNarrow = useNarrow();
  return (
    <>
      <header className="page-head">
        <BackLink href="/tasks" isAlways />
        <h1 className="grow cut">{task ? taskTitle(task.prompt) : line(id, 160)}</h1>
        {task && !isNarrow && <TaskActs task={task} />}
      </header>
      <ScrollRegion label="The task" className="page-body">
        {!task && error && <NotThere title="This task is not there" error={error} onRetry={() => void refetch()} />}
        {!task && !error && <Waiting />}
        {task && <OneTask task={task} isNarrow={isNarrow} />}
      </ScrollRegion>
    </>
  );
}

interface OneTaskProps {
  readonly task: Task;
  /** True if the header has no room for the buttons. */
  readonly isNarrow: boolean;
}

function OneTask({ task, isNarrow }: OneTaskProps) {
  const { badge, word } = shownTask(task);
  const open = openItems(task);
  const isSettled = useSettled();
  return (
    <article className="sheet task" aria-label={`Task ${task.id}`} data-state={task.state} data-settling={!isSettled}>
      {isNarrow && <TaskActs task={task} />}
      <header className="row wraps">
        <StatePill badge={badge} word={word} />
        <span className="muted small">
          <Took of={task} word="created" />
        </span>
        <span className="muted small">{taskAgent(task)}</span>
      </header>
      <section className="said" aria-label="Task">
        <Markdown text={task.prompt} />
      </section>
      {open.map((item, at) => (
        <section key={item} className="asked" aria-label={`Question ${at + 1} of ${open.length}`}>
          <ItemInPlace id={item} />
        </section>
      ))}
      <Failure of={task} />
      {task.report && <TaskReport report={task.report} />}
      {task.plan && <TaskPlanView plan={task.plan} />}
      <Answered task={task} />
      <TaskAttempts task={task} />
      <TaskFacts task={task} />
      <TaskHistory id={task.id} />
    </article>
  );
}

/** The items that wait for an answer: questions of the planner, and of the agent that works on the task. */
const openItems = ({ state, questions, asking = [] }: Task): readonly string[] => {
  const planner = questions.filter(({ answer, declined }) => answer === null && declined === undefined);
  return [...new Set([...(state === 'awaiting_input' ? planner.map(({ item_id }) => item_id) : []), ...asking])];
};

function TaskActs({ task }: { readonly task: Task }) {
  const { api, device } = useLive();
  const act = useMutation({
    mutationFn: (operation: 'task.plan' | 'task.start') => api.call(operation, { task: task.id }),
  });
  const cancel = useMutation({ mutationFn: () => api.call('task.cancel', { task: task.id }) });
  if (device.role !== 'all') return null;
  const error = act.error ?? cancel.error;
  if (!error && nextActs(task).length === 0 && isTaskOver(task)) return null;
  return (
    <div className="row wraps">
      {error && <ErrorNote error={error} />}
      {nextActs(task).map(({ operation, label }, at) => (
        <button
          key={label}
          type="button"
          className={`button ${at === 0 ? 'primary' : ''}`}
          disabled={act.isPending}
          onClick={() => act.mutate(operation)}
        >
          {label}
        </button>
      ))}
      {!isTaskOver(task) && (
        <ConfirmButton
          label="Cancel"
          title="Cancel this task?"
          act="Cancel the task"
          isDisabled={cancel.isPending}
          onConfirm={() => cancel.mutate()}
        >
          The agent that works on it is ended. What it has changed in its folder stays.
        </ConfirmButton>
      )}
    </div>
  );
}

/** Shows the earlier questions of the planner with their answers. */
function Answered({ task: { questions } }: { readonly task: Task }) {
  const answered = questions.filter(({ answer, declined }) => answer !== null || declined === true);
  if (answered.length === 0) return null;
  return (
    <section aria-label="Answered questions">
      <div className="part-title">
        <h2>Answered questions</h2>
      </div>
      <dl className="answered">
        {answered.map(({ item_id, question, answer }) => (
          <div key={item_id}>
            <dt>
              <Markdown text={question} />
            </dt>
            <dd>
              {answer === null ? <span className="muted">declined: the planner decided</span> : line(answer, 4000)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function TaskFacts({ task }: { readonly task: Task }) {
  const { id, adapter, model, cwd, project, parent_session_id, limits, starts_itself } = task;
  return (
    <Facts
      facts={[
        ['Task', id],
        ['Program', [adapter, model].flatMap((one) => (one === null ? [] : [line(one)])).join(', ')],
        ['Folder', line(cwd, 400)],
        ['Project', project === null ? null : line(project, 400)],
        ['Created by', parent_session_id && <Link href={`/sessions/${parent_session_id}`}>{parent_session_id}</Link>],
        ['Start', starts_itself ? 'as soon as it is planned' : null],
        ['Limits', limitWords(limits)],
        ['Created', new Date(task.created_at).toLocaleString()],
      ]}
    />
  );
}
