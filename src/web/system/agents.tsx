/** The installed agents, and what orchd does for each: what `orchd doctor` prints, for programs of this page. */
import { useQuery } from '@tanstack/react-query';
import type { OutputOf } from '../../protocol/index.js';
import { useLive } from '../live/live.js';
import { ErrorNote } from '../parts/error-note.js';
import { type Fact, Facts } from '../parts/facts.js';
import { line } from '../text/label-text.js';
import { TextWithCode } from '../text/text-with-code.js';

type Agent = OutputOf<'daemon.agents'>['agents'][number];

export function Agents() {
  const { api } = useLive();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['installed-agents'],
    meta: { isSlow: true }, // it starts each agent to ask for its version
    queryFn: ({ signal }) => api.call('daemon.agents', {}, signal),
  });
  const [found, absent] = [data?.agents.filter(isFound) ?? [], data?.agents.filter((one) => !isFound(one)) ?? []];
  return (
    <section className="system-part" aria-label="Agents" aria-busy={isFetching}>
      <div className="part-title">
        <h2 className="grow">Agents</h2>
        <button type="button" className="button" disabled={isFetching} onClick={() => void refetch()}>
          {isFetching ? 'Checking…' : 'Check again'}
        </button>
      </div>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {found.length > 0 && (
        <ul className="devices installed">
          {found.map((agent) => (
            <AgentRow key={agent.name} agent={agent} />
          ))}
        </ul>
      )}
      {absent.length > 0 && (
        <p className="soft">Not installed: {absent.map(({ label }) => line(label, 60)).join(', ')}.</p>
      )}
      {data && (
        <p className="muted">
          Programs that this page starts are looked for in <code>{line(data.path, 400)}</code>. In a terminal,{' '}
          <code>orchd doctor</code> looks in your own <code>PATH</code>.
        </p>
      )}
    </section>
  );
}

const isFound = ({ path }: Agent): boolean => path !== null;

function AgentRow({ agent }: { readonly agent: Agent }) {
  const { name, label, path, problem, is_script, version, tried_version } = agent;
  const tried = version !== null && version !== tried_version ? `tried with ${tried_version}` : '';
  return (
    <li>
      <details className="grow">
        <summary>
          <strong>{line(label, 60)}</strong> <span className="mono">{line(version ?? '', 60)}</span>{' '}
          <span className="muted small">{line(tried, 80)}</span>
          {problem !== null && <span className="pill tone-warn">does not work</span>}
          {is_script && <span className="pill tone-info">shell script</span>}
        </summary>
        {problem !== null && (
          <p className="notice warn">{line(problem, 400)}: run it yourself to see why, or install it again</p>
        )}
        {is_script ? (
          <p className="soft">
            It is not run, and nothing is added to it. If it starts the agent, say{' '}
            <code>
              orchd run --adapter {name} -- {line(path ?? '', 200)}
            </code>
            .
          </p>
        ) : (
          <Facts facts={factsOf(agent)} />
        )}
      </details>
    </li>
  );
}

function Notes({ notes }: { readonly notes: readonly string[] }) {
  return (
    <ul className="agent-notes">
      {notes.map((note) => (
        <li key={note}>
          <TextWithCode text={line(note, 400)} />
        </li>
      ))}
    </ul>
  );
}

function factsOf({ path, hears, teachable, tools, notes, ...agent }: Agent): readonly Fact[] {
  const added = [...agent.added_arguments, ...agent.added_variables.map((name) => `${name}=…`)];
  return [
    ['Program', line(path ?? '', 400)],
    ['Messages', `from its ${hears.join(' and its ')}`],
    ['Instructions', teachable ? 'given at its start, with --teach' : 'given in a prompt: orchd prompt'],
    ['Tools', tools ? 'offered by MCP, with --teach or --tools' : 'in its shell: orchd tool'],
    ['Added at the start', added.length === 0 ? 'nothing' : line(added.join(' '), 1000)],
    ['This version lacks', line(agent.missing_flags.join(', '), 400)],
    ['Notes', notes.length > 0 && <Notes notes={notes} />],
  ];
}
