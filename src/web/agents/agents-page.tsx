/** The agents: their list, the form that edits one, and a trial run of one. */

import type { ComponentProps } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import type { Blueprint } from '../../protocol/index.js';
import { decoded } from '../browser/decoded.js';
import { useListKeys } from '../browser/use-keys.js';
import { useLive, useOperation } from '../live/live.js';
import { Empty } from '../parts/empty.js';
import { ErrorNote } from '../parts/error-note.js';
import { BackLink, Split } from '../parts/split.js';
import { TabLinks } from '../parts/tabs.js';
import { ErrorTable } from '../runs/error-table.js';
import { line } from '../text/label-text.js';
import { AgentForm } from './agent-form.js';
import { ProjectField } from './project-field.js';
import { TryIt } from './try-it.js';
import './agents.css';

/** The path `/agents/+new`. No agent has this name, because names cannot begin with `+`. */
const NEW = '+new';

export default function AgentsPage({ rest }: { readonly rest: string }) {
  const search = new URLSearchParams(useSearch());
  const [, go] = useLocation();
  const { device } = useLive();
  const project = search.get('project') || undefined;
  const list = useOperation(['agents'], 'blueprint.list', project === undefined ? {} : { project });
  const agents = list.data ?? [];
  const name = decoded(rest);
  const to = (path: string, more: Readonly<Record<string, string>> = {}): string => {
    const query = new URLSearchParams({ ...(project !== undefined && { project }), ...more }).toString();
    return `/agents${path === '' ? '' : `/${encodeURIComponent(path)}`}${query === '' ? '' : `?${query}`}`;
  };
  const mayChange = device.role === 'all';
  useListKeys(
    agents.map((agent) => agent.name),
    name,
    to,
    {
      n: () => mayChange && go(to(NEW)),
      t: () => name !== '' && name !== NEW && go(to(name, { tab: 'try' })),
    },
  );

  return (
    <Split
      title="Agents"
      head={
        <>
          <span className="grow" />
          {mayChange && (
            <Link className="button" href={to(NEW)}>
              New agent
            </Link>
          )}
        </>
      }
      list={
        <>
          {/* Agents in the files of a project are visible only if that project is chosen. */}
          <ProjectField
            key={project ?? ''}
            project={project ?? ''}
            placeholder="Seen from the project /…"
            onChoose={(path) => go(projectHref(path))}
          />
          {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
          <ul className="rows">
            {agents.map((agent) => (
              <AgentRow key={agent.name} agent={agent} href={to(agent.name)} isShown={agent.name === name} />
            ))}
          </ul>
        </>
      }
      chosen={name === '' ? null : <Chosen key={name} name={name} project={project} agents={list.data} to={to} />}
      nothing={
        <Empty
          title="An agent is a prompt with a contract"
          command={'orchd agent create NAME\norchd runs start --blueprint NAME'}
        >
          Give an agent instructions and, if programs read its result, a JSON Schema. Then a run, a task or a workflow
          uses it by its name. Choose one to look at it, or make a new one.
        </Empty>
      }
    />
  );
}

const projectHref = (path: string): string =>
  path === '' ? '/agents' : `/agents?${new URLSearchParams({ project: path })}`;

const PLACES: Readonly<Record<Blueprint['source'], string>> = { stored: '', file: 'file', 'built-in': 'built in' };
const placeWords = ({ source, project }: Blueprint): string =>
  PLACES[source] || (project === null ? 'yours' : 'project');

function AgentRow({
  agent,
  href,
  isShown,
}: {
  readonly agent: Blueprint;
  readonly href: string;
  readonly isShown: boolean;
}) {
  const { name, description, problem, output_schema, output_format } = agent;
  const result = output_schema !== undefined ? ' · schema' : output_format === 'envelope' ? ' · envelope' : '';
  return (
    <li>
      <Link href={href} className="one-row" aria-current={isShown ? 'true' : undefined}>
        <span className="one-row-text">
          <span className="row">
            <span className="one-row-title cut grow">{line(name, 80)}</span>
            <span className="one-row-note">
              {placeWords(agent)}
              {result}
            </span>
          </span>
          <span className={`one-row-note cut ${problem ? 'tone-bad' : ''}`}>
            {problem ? `Damaged: ${line(problem.message, 160)}` : line(description, 160) || 'No description'}
          </span>
        </span>
      </Link>
    </li>
  );
}

interface ChosenProps {
  readonly name: string;
  readonly project: string | undefined;
  readonly agents: readonly Blueprint[] | undefined;
  readonly to: (path: string, more?: Readonly<Record<string, string>>) => string;
}

function Chosen({ name, project, agents, to }: ChosenProps) {
  const [, go] = useLocation();
  const search = new URLSearchParams(useSearch());
  if (!agents) return null;
  const adapters = [...new Set(agents.flatMap(({ adapter }) => adapter ?? []))];
  const saved = (agent: Blueprint): void => go(to(agent.name), { replace: true });
  const common = { project, adapters, onSaved: saved, onDeleted: () => go(to('')) };
  if (name === NEW) return <NewAgent agents={agents} to={to} {...common} />;
  const agent = agents.find((one) => one.name === name);
  if (!agent) return <NoAgent name={name} back={to('')} />;
  const isTrying = search.get('tab') === 'try';
  return (
    <>
      <ChosenHead agent={agent} isTrying={isTrying} to={to} />
      <div className="page-body">
        {agent.problem ? (
          <Damaged agent={agent} />
        ) : isTrying ? (
          <TryIt
            agent={agent}
            project={project}
            runId={search.get('run')}
            hrefOf={(run) => to(name, { tab: 'try', run })}
          />
        ) : (
          <AgentForm agent={agent} {...common} />
        )}
      </div>
    </>
  );
}

interface NewAgentProps
  extends Pick<ComponentProps<typeof AgentForm>, 'project' | 'adapters' | 'onSaved' | 'onDeleted'> {
  readonly agents: readonly Blueprint[];
  readonly to: ChosenProps['to'];
}

function NewAgent({ agents, to, ...form }: NewAgentProps) {
  const search = new URLSearchParams(useSearch());
  const copyOf = agents.find((one) => one.name === search.get('copy'));
  const { project } = form;
  return (
    <>
      <header className="page-head">
        <BackLink href={to('')} />
        <h1 className="grow">New agent</h1>
      </header>
      <div className="page-body">
        {project !== undefined && <p className="notice list-note">It is stored for the project {line(project)}.</p>}
        <AgentForm key={copyOf?.name ?? ''} agent={null} copyOf={copyOf} {...form} />
      </div>
    </>
  );
}

const NoAgent = ({ name, back }: { readonly name: string; readonly back: string }) => (
  <>
    <header className="page-head">
      <BackLink href={back} />
      <h1 className="grow cut">{line(name, 80)}</h1>
    </header>
    <Empty title="This agent is not there" command="orchd agent list --all-projects">
      It was deleted or renamed, or it belongs to another project.
    </Empty>
  </>
);

interface ChosenHeadProps {
  readonly agent: Blueprint;
  readonly isTrying: boolean;
  readonly to: ChosenProps['to'];
}

function ChosenHead({ agent, isTrying, to }: ChosenHeadProps) {
  const { device } = useLive();
  return (
    <header className="page-head chosen-head">
      <BackLink href={to('')} />
      <h1 className="cut">{line(agent.name, 80)}</h1>
      <span className="pill">{placeWords(agent)}</span>
      {agent.shadows && (
        <span className="pill tone-warn" title="Another agent of this name is not used because of it">
          hides another
        </span>
      )}
      <span className="grow" />
      {device.role === 'all' && (
        <Link className="button quiet" href={to(NEW, { copy: agent.name })}>
          Copy
        </Link>
      )}
      <TabLinks
        label="Views of the agent"
        tabs={[
          { title: 'Definition', href: to(agent.name), isChosen: !isTrying },
          { title: 'Try it', href: to(agent.name, { tab: 'try' }), isChosen: isTrying },
        ]}
      />
    </header>
  );
}

/** The form cannot show damaged files. The person has to repair them in an editor. */
function Damaged({ agent: { problem, file } }: { readonly agent: Blueprint }) {
  return (
    <div className="sheet">
      <div className="notice bad" role="alert">
        <div>
          <strong>{line(problem?.message ?? '')}</strong>
          {file !== null && <p>Mend {line(file)} in an editor. This page follows when you choose the agent again.</p>}
        </div>
      </div>
      {problem && <ErrorTable errors={problem.errors} />}
    </div>
  );
}
