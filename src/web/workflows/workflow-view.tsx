/** One run of a workflow: its live graph, what it asks, its steps with what they made, and its Agentfile. */
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { Link } from 'wouter';
import { isWorkflowOver, shownWorkflow, type WorkflowRun } from '../../protocol/index.js';
import type { Workflow } from '../../workflow/index.js';
import { useNarrow } from '../browser/use-narrow.js';
import { useSearchState } from '../browser/use-search-state.js';
import { ItemInPlace } from '../inbox/item-in-place.js';
import { useOpenItems } from '../inbox/open-items.js';
import { useLive, useOperation } from '../live/live.js';
import { useSettled } from '../live/use-settled.js';
import { Took } from '../parts/age.js';
import { ConfirmButton } from '../parts/confirm.js';
import { Empty, Waiting } from '../parts/empty.js';
import { ErrorNote, Failure, NotThere } from '../parts/error-note.js';
import { Facts } from '../parts/facts.js';
import { BackLink } from '../parts/split.js';
import { StatePill } from '../parts/state-pill.js';
import { TabLinks } from '../parts/tabs.js';
import { line } from '../text/label-text.js';
import { keepDraft } from './draft.js';
import { Steps } from './steps.js';
import { waitsForMachine } from './workflow-words.js';
import '../runs/runs.css';

const WorkflowGraph = lazy(() => import('./workflow-graph.js'));
const AgentfileEditor = lazy(() => import('../code/agentfile-editor.js'));
const NO_PROBLEMS = [] as const;
/** No event tells that a machine has taken a run that waits in the queue of a label. */
const ROUND_MS = 2_000;

export function WorkflowView({ id }: { readonly id: string }) {
  const [tab] = useSearchState('tab', 'graph');
  const { data: run, error, refetch } = useOperation(['workflows', id], 'workflow.show', { workflow: id, brief: true });
  const source = useOperation(['workflows', id], 'workflow.source', { workflow: id });
  const isWaiting = run?.steps.some(({ runs }) => runs.some(waitsForMachine)) ?? false;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => void refetch(), ROUND_MS);
    return () => clearInterval(timer);
  }, [isWaiting, refetch]);
  const href = `/workflows/${id}`;
  const isSource = tab === 'agentfile';
  return (
    <>
      <header className="page-head chosen-head">
        <BackLink href="/workflows" />
        <h1 className="cut">{run ? line(run.name, 80) : 'Workflow'}</h1>
        <TabLinks
          label="Views of the workflow"
          tabs={[
            { title: 'Graph', href, isChosen: !isSource },
            { title: 'Agentfile', href: `${href}?tab=agentfile`, isChosen: isSource },
          ]}
        />
        <span className="grow" />
        {run && <Acts run={run} />}
      </header>
      <div className="page-body">
        {!run && error && <NotThere title="This workflow is not there" error={error} onRetry={() => void refetch()} />}
        {!run && !error && <Waiting />}
        {run && isSource && source.data && <Source agentfile={source.data.agentfile} />}
        {run && !isSource && <Running run={run} workflow={(source.data?.workflow as Workflow | undefined) ?? null} />}
      </div>
    </>
  );
}

/** @param workflow  The checked form of its Agentfile; null while it loads. */
function Running({ run, workflow }: { readonly run: WorkflowRun; readonly workflow: Workflow | null }) {
  const [chosen, choose] = useSearchState('step');
  const isNarrow = useNarrow();
  const isSettled = useSettled();
  // The questions of its ASKs, and those of its agents.
  const asked = useOpenItems().filter(({ workflow_id }) => workflow_id === run.id);
  const done = run.steps.filter(({ state }) => state === 'completed' || state === 'skipped').length;
  return (
    <article
      className="sheet workflow"
      aria-label={`Workflow run ${run.id}`}
      data-state={run.state}
      data-settling={!isSettled}
    >
      <header className="row wraps">
        <StatePill {...shownWorkflow(run)} />
        <span className="muted small">
          {done} of {run.steps.length} steps
        </span>
        <span className="muted small">
          <Took of={run} word="started" />
        </span>
      </header>
      {asked.map((item, at) => (
        <section key={item.id} className="asked" aria-label={`Question ${at + 1} of ${asked.length}`}>
          <ItemInPlace id={item.id} known={item} />
        </section>
      ))}
      <Failure of={run} />
      <Suspense fallback={<div className="workflow-graph" aria-busy="true" />}>
        {workflow ? (
          <WorkflowGraph
            workflow={workflow}
            run={run}
            chosen={chosen === '' ? null : chosen}
            onChoose={(step) => choose(step ?? '')}
            isNarrow={isNarrow}
          />
        ) : (
          <div className="workflow-graph" aria-busy="true" />
        )}
      </Suspense>
      <Steps run={run} chosen={chosen} onChoose={choose} />
      <RunFacts run={run} />
    </article>
  );
}

function Acts({ run }: { readonly run: WorkflowRun }) {
  const { api, device } = useLive();
  const resume = useMutation({ mutationFn: () => api.call('workflow.resume', { workflow: run.id }) });
  const cancel = useMutation({ mutationFn: () => api.call('workflow.cancel', { workflow: run.id }) });
  if (device.role !== 'all') return null;
  const error = resume.error ?? cancel.error;
  return (
    <div className="row wraps">
      {error && <ErrorNote error={error} />}
      {(run.state === 'failed' || run.state === 'cancelled') && (
        <button type="button" className="button" disabled={resume.isPending} onClick={() => resume.mutate()}>
          Resume
        </button>
      )}
      {!isWorkflowOver(run) && (
        <ConfirmButton
          label="Cancel"
          title="Cancel this workflow?"
          act="Cancel the workflow"
          isDisabled={cancel.isPending}
          onConfirm={() => cancel.mutate()}
        >
          The agents of its steps are ended. What is done stays, and you can resume the workflow.
        </ConfirmButton>
      )}
    </div>
  );
}

function Source({ agentfile }: { readonly agentfile: string | null }) {
  if (agentfile === null)
    return (
      <Empty title="The Agentfile of this run was not kept">
        An earlier version of orchd started it. Its graph is kept, its text is not.
      </Empty>
    );
  return (
    <div className="sheet">
      <div className="row">
        <p className="muted grow">As it was when the run was started.</p>
        <Link className="button" href="/workflows/+new" onClick={() => keepDraft(agentfile)}>
          Edit a copy
        </Link>
      </div>
      <div className="agentfile-field">
        <Suspense fallback={<div className="code-wait">Loading the editor…</div>}>
          <AgentfileEditor value={agentfile} label="Agentfile" problems={NO_PROBLEMS} isReadOnly />
        </Suspense>
      </div>
    </div>
  );
}

function RunFacts({ run }: { readonly run: WorkflowRun }) {
  const { id, adapter, model, cwd, project, parent_session_id, jobs, variables, created_at } = run;
  return (
    <Facts
      facts={[
        ['Run', id],
        [
          'Inputs',
          variables
            .filter(({ step }) => step === null)
            .map(({ name, value }) => line(`${name} = ${String(value)}`, 200))
            .join(', '),
        ],
        ['Jobs', String(jobs)],
        ['Program', [adapter, model].flatMap((one) => (one === null ? [] : [line(one)])).join(', ')],
        ['Folder', line(cwd, 400)],
        ['Project', project === null ? null : line(project, 400)],
        ['Started by', parent_session_id && <Link href={`/sessions/${parent_session_id}`}>{parent_session_id}</Link>],
        ['Created', new Date(created_at).toLocaleString()],
      ]}
    />
  );
}
