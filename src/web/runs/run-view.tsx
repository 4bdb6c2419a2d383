/** One run: its state, its result or why it has none, its question, its attempts side by side, and its facts. */
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { isRecord, isRunOver, type Run, shownRun, usageWords } from '../../protocol/index.js';
import { EnvelopeView } from '../envelopes/envelope-view.js';
import { ItemInPlace } from '../inbox/item-in-place.js';
import { useLive, useOperation } from '../live/live.js';
import { Age, durationWords } from '../parts/age.js';
import { ConfirmButton } from '../parts/confirm.js';
import { CopyButton } from '../parts/copy-button.js';
import { Waiting } from '../parts/empty.js';
import { ErrorNote, Failure, NotThere } from '../parts/error-note.js';
import { Facts } from '../parts/facts.js';
import { StatePill } from '../parts/state-pill.js';
import { JsonValue } from '../text/json-value.js';
import { line } from '../text/label-text.js';
import { Markdown } from '../text/markdown.js';
import { Attempts } from './attempts.js';
import { ErrorTable } from './error-table.js';
import { limitWords, runAgent } from './run-words.js';
import './runs.css';

interface RunViewProps {
  readonly id: string;
  /** True to link to the run's own page. */
  readonly isLinked?: boolean;
}

export function RunView({ id, isLinked = false }: RunViewProps) {
  const { data: run, error, refetch } = useOperation(['runs', id], 'run.show', { run: id });
  if (!run)
    return error ? (
      <NotThere title="This run is not there" isWholePage={!isLinked} error={error} onRetry={() => void refetch()} />
    ) : (
      <Waiting />
    );
  return (
    <article className="run" aria-label={`Run ${run.id}`} data-state={run.state}>
      <RunHead run={run} isLinked={isLinked} />
      {run.asking?.map((item, at, all) => (
        <section key={item} className="asked" aria-label={`Question ${at + 1} of ${all.length}`}>
          <ItemInPlace id={item} />
        </section>
      ))}
      <Outcome run={run} />
      <Attempts run={run} />
      <Given run={run} />
      <RunFacts run={run} />
    </article>
  );
}

function RunHead({ run, isLinked }: { readonly run: Run; readonly isLinked: boolean }) {
  const { badge, word } = shownRun(run);
  return (
    <header className="run-head row wraps">
      <StatePill badge={badge} word={word} />
      {isLinked ? (
        <Link href={`/runs/${run.id}`} className="mono">
          {run.id}
        </Link>
      ) : (
        <h1 className="cut">{runAgent(run)}</h1>
      )}
      <span className="muted small">
        {run.started_at === null
          ? 'waits for its turn'
          : run.ended_at === null
            ? 'started '
            : `took ${durationWords(run.started_at, run.ended_at)}`}
        {run.started_at !== null && run.ended_at === null && <Age since={run.started_at} />}
      </span>
      <span className="grow" />
      <RunActions run={run} />
    </header>
  );
}

function RunActions({ run }: { readonly run: Run }) {
  const { api, device } = useLive();
  const [, go] = useLocation();
  const retry = useMutation({
    mutationFn: () => api.call('run.retry', { run: run.id }),
    onSuccess: ({ id }) => go(`/runs/${id}`),
  });
  const cancel = useMutation({ mutationFn: () => api.call('run.cancel', { run: run.id }) });
  if (device.role !== 'all') return null;
  const error = retry.error ?? cancel.error;
  return (
    <>
      {error && <ErrorNote error={error} />}
      {isRunOver(run) ? (
        <button type="button" className="button" disabled={retry.isPending} onClick={() => retry.mutate()}>
          Retry
        </button>
      ) : (
        <ConfirmButton
          label="Cancel"
          title="Cancel this run?"
          act="Cancel the run"
          isDisabled={cancel.isPending}
          onConfirm={() => cancel.mutate()}
        >
          Its program is ended. What it has changed in its folder stays. You can retry the run.
        </ConfirmButton>
      )}
    </>
  );
}

/** Shows the result, or why there is none. */
function Outcome({ run }: { readonly run: Run }) {
  const { state, error, result_text, result_data, result_human, output_format, resumes_at } = run;
  if (state === 'rate_limited')
    return (
      <p className="notice warn">
        The account of the agent may not be used for a while.
        {resumes_at !== null && ` It goes on at ${new Date(resumes_at).toLocaleString()}.`}
      </p>
    );
  if (state === 'cancelled') return null;
  if (error) {
    const failed = run.attempts.at(-1)?.envelope;
    return (
      <section aria-label="Error" className="outcome">
        {/* A failed envelope shows its error itself. */}
        {!failed && (
          <Failure of={run}>
            {error.resolution !== undefined && <p>Resolution: {line(error.resolution, 2000)}</p>}
          </Failure>
        )}
        {error.errors && error.errors.length > 0 && <ErrorTable errors={error.errors} />}
        {failed && <EnvelopeView data={failed.data} human={failed.human} />}
      </section>
    );
  }
  if (state !== 'completed') return null;
  if (output_format === 'envelope' && isRecord(result_data))
    return (
      <section aria-label="Result" className="outcome">
        <EnvelopeView data={result_data} human={result_human ?? ''} />
      </section>
    );
  const isData = result_text === null;
  return (
    <section aria-label="Result" className="outcome">
      <div className="part-title">
        <h2 className="grow">
          Result <span className="muted mono small">{isData ? 'result_data' : 'result_text'}</span>
        </h2>
        <CopyButton text={isData ? JSON.stringify(result_data, null, 2) : result_text} />
      </div>
      {isData ? (
        <JsonValue value={result_data} label="result_data" />
      ) : (
        <div className="said">
          <Markdown text={result_text} />
        </div>
      )}
    </section>
  );
}

/** Shows the input of the run: its prompt, its data, its instructions and its schema. */
function Given({ run: { prompt, input, system, output_schema } }: { readonly run: Run }) {
  return (
    <section aria-label="Prompt">
      <div className="part-title">
        <h2 className="grow">Prompt</h2>
        <CopyButton text={prompt} />
      </div>
      <div className="said">
        <Markdown text={prompt} />
      </div>
      {input !== null && (
        <details className="more">
          <summary>Input</summary>
          <JsonValue value={input} label="Input" />
        </details>
      )}
      {output_schema !== null && (
        <details className="more">
          <summary>Output schema</summary>
          <JsonValue value={output_schema} label="Output schema" />
        </details>
      )}
      {system !== null && (
        <details className="more">
          <summary>System prompt</summary>
          <div className="said">
            <Markdown text={system} />
          </div>
        </details>
      )}
    </section>
  );
}

function RunFacts({ run }: { readonly run: Run }) {
  const { task_id, workflow_id, step_id, session_id, parent_session_id, retry_of, limits, model, adapter } = run;
  const session = (id: string) => <Link href={`/sessions/${id}`}>{id}</Link>;
  return (
    <Facts
      facts={[
        ['Run', run.id],
        ['Program', model === null ? line(adapter) : `${line(adapter)}, ${line(model)}`],
        ['Folder', line(run.cwd, 400)],
        ['Session', session_id && session(session_id)],
        ['Started by', parent_session_id && session(parent_session_id)],
        ['Retry of', retry_of && <Link href={`/runs/${retry_of}`}>{retry_of}</Link>],
        ['Task', task_id && <Link href={`/tasks/${task_id}`}>{task_id}</Link>],
        [
          'Workflow',
          workflow_id && (
            <Link
              href={`/workflows/${workflow_id}?step=${encodeURIComponent(step_id ?? '')}`}
            >{`${workflow_id}, ${step_id ?? ''}`}</Link>
          ),
        ],
        ['Usage', usageWords(run.usage)],
        ['Limits', limitWords(limits)],
        ['Created', new Date(run.created_at).toLocaleString()],
      ]}
    />
  );
}
