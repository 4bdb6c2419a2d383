/** The workflows: their runs, one of them with its live graph, and a new one in the editor. */
import { Link, useLocation } from 'wouter';
import { isWorkflowOver, shownWorkflow, type WorkflowRunSummary } from '../../protocol/index.js';
import { useListKeys } from '../browser/use-keys.js';
import { useReading, useSteadyOrder } from '../browser/use-reading.js';
import { useSearchState } from '../browser/use-search-state.js';
import { useLive, useOperation } from '../live/live.js';
import { Age } from '../parts/age.js';
import { Empty } from '../parts/empty.js';
import { ErrorNote } from '../parts/error-note.js';
import { Split } from '../parts/split.js';
import { Mark } from '../parts/state-pill.js';
import { TabLinks } from '../parts/tabs.js';
import { line } from '../text/label-text.js';
import { Agentfiles } from './agentfiles.js';
import { NewWorkflow } from './new-workflow.js';
import { WorkflowView } from './workflow-view.js';
import './workflows.css';

/** The newest runs. `orchd workflow list` has all. */
const MAX_WORKFLOWS = 500;
/** The address of a new workflow. It matches no run, because no id begins with `+`. */
const NEW = '/workflows/+new';

export default function WorkflowsPage({ rest }: { readonly rest: string }) {
  const [, go] = useLocation();
  const { device } = useLive();
  const list = useOperation(['workflows'], 'workflow.list', { limit: MAX_WORKFLOWS });
  const [isReading, place] = useReading();
  const runs = useSteadyOrder([...(list.data ?? [])].reverse(), ({ id }) => id, isReading);
  const mayRun = device.role === 'all';
  const [show] = useSearchState('show', 'runs');
  const isFiles = mayRun && show === 'files';
  useListKeys(
    runs.map(({ id }) => id),
    rest,
    (id) => (id === '' ? '/workflows' : `/workflows/${id}`),
    { n: () => mayRun && go(NEW) },
  );
  return (
    <Split
      title="Workflows"
      head={mayRun && <Head isFiles={isFiles} />}
      place={place}
      list={
        <>
          {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
          {isFiles ? <Agentfiles /> : <Runs runs={runs} isLoaded={list.data !== undefined} shown={rest} />}
        </>
      }
      chosen={rest === '' ? null : rest === '+new' ? <NewWorkflow /> : <WorkflowView key={rest} id={rest} />}
      nothing={
        <Empty title="A workflow is an Agentfile that runs" command={'orchd workflow run Agentfile'}>
          An Agentfile names goals and agents, what each gives to the next, and the questions that you answer between
          them. Write one here, or run one in a terminal:
        </Empty>
      }
    />
  );
}

const Head = ({ isFiles }: { readonly isFiles: boolean }) => (
  <>
    <TabLinks
      label="Which workflows"
      tabs={[
        { title: 'Runs', href: '/workflows', isChosen: !isFiles },
        { title: 'Agentfiles', href: '/workflows?show=files', isChosen: isFiles },
      ]}
    />
    <span className="grow" />
    <Link className="button" href={NEW}>
      New
    </Link>
  </>
);

interface RunsProps {
  readonly runs: readonly WorkflowRunSummary[];
  readonly isLoaded: boolean;
  /** The id of the run that is shown. */
  readonly shown: string;
}

function Runs({ runs, isLoaded, shown }: RunsProps) {
  if (isLoaded && runs.length === 0) return <p className="muted list-note">No workflow has run yet.</p>;
  return (
    <ul className="rows">
      {runs.map((run) => (
        <Row key={run.id} run={run} isShown={run.id === shown} />
      ))}
    </ul>
  );
}

interface RowProps {
  readonly run: WorkflowRunSummary;
  readonly isShown: boolean;
}

function Row({ run, isShown }: RowProps) {
  const { id, name, done, steps, current, error, ended_at, created_at } = run;
  const { badge, word } = shownWorkflow(run);
  return (
    <li>
      <Link href={`/workflows/${id}`} className="one-row" aria-current={isShown ? 'true' : undefined}>
        <Mark badge={badge} word={word} />
        <span className="one-row-text">
          <span className="row">
            <span className="one-row-title cut grow">{line(name, 80)}</span>
            <span className="one-row-note">
              {done} of {steps}
            </span>
            <Age since={ended_at ?? created_at} />
          </span>
          <span className="one-row-note cut">
            {isWorkflowOver(run) ? line(error?.message ?? '', 160) : line(current.join(', '), 160)}
          </span>
        </span>
      </Link>
    </li>
  );
}
