/** The attempts of a task side by side: each is a run of a planner, or of the agent that does the task. */
import { Link } from 'wouter';
import { shownError, shownRun, type Task, type TaskAttempt, usageWords } from '../../protocol/index.js';
import { useOperation } from '../live/live.js';
import { Age, durationWords } from '../parts/age.js';
import { ErrorNote, ErrorText } from '../parts/error-note.js';
import { StatePill } from '../parts/state-pill.js';
import { AttemptsRow } from '../runs/attempts.js';
import { ExactText } from '../text/exact-text.js';
import { line } from '../text/label-text.js';

export const TaskAttempts = ({ task }: { readonly task: Task }) => (
  <AttemptsRow attempts={task.attempts} show={(attempt) => <OneAttempt attempt={attempt} />} />
);

const KINDS = { planning: 'planning', execution: 'doing it' } as const;

function OneAttempt({ attempt }: { readonly attempt: TaskAttempt }) {
  const { number, kind, agent, run_id, started_at, ended_at } = attempt;
  const { data: run, error } = useOperation(['runs', run_id], 'run.show', { run: run_id });
  const turns = run?.attempts ?? [];
  const last = turns.at(-1);
  const used = usageWords(run?.usage ?? null);
  const runError = run ? shownError(run) : null;
  return (
    <article className="attempt" aria-label={`Attempt ${number}`}>
      <header className="row wraps">
        <strong>{number}</strong>
        <span className="muted small">
          {KINDS[kind]}
          {agent !== null && `, ${line(agent, 80)}`}
        </span>
        <span className="grow" />
        {run && <StatePill {...shownRun(run)} />}
      </header>
      <p className="muted small">
        {ended_at === null ? (
          <>
            running for <Age since={started_at} />
          </>
        ) : (
          durationWords(started_at, ended_at)
        )}
        {turns.length > 1 && ` · ${turns.length} turns`}
        {used !== '' && ` · ${used}`}
        {' · '}
        <Link href={`/runs/${run_id}`}>run</Link>
        {last && (
          <>
            {' · '}
            <Link href={`/sessions/${last.session_id}`}>session</Link>
          </>
        )}
      </p>
      {error && <ErrorNote error={error} />}
      {runError && (
        <p className="notice bad">
          <ErrorText text={runError.message} />
        </p>
      )}
      {run && (
        <details>
          <summary>Prompt</summary>
          <ExactText text={run.prompt} label={`Prompt of attempt ${number}`} />
        </details>
      )}
      {last?.text != null && <ExactText text={last.text} label={`Last words of attempt ${number}`} />}
    </article>
  );
}
