/** The plan of a task, and the report of the agent that did it. */
import type { CompletionReport, TaskPlan } from '../../protocol/index.js';
import { line } from '../text/label-text.js';
import { Markdown } from '../text/markdown.js';

export function TaskPlanView({ plan }: { readonly plan: TaskPlan }) {
  const { summary, requirements, acceptanceCriteria, plan: steps, assignedAgent } = plan;
  return (
    <section aria-label="Plan" className="task-plan">
      <div className="part-title">
        <h2 className="grow">Plan</h2>
        {assignedAgent !== undefined && <span className="muted small">for {line(assignedAgent, 80)}</span>}
      </div>
      <Markdown text={summary} />
      <div className="plan-parts">
        <Lines title="Requirements" lines={requirements} />
        <Lines title="Steps" lines={steps} isOrdered />
        <Lines title="Acceptance criteria" lines={acceptanceCriteria} />
      </div>
    </section>
  );
}

export function TaskReport({ report }: { readonly report: CompletionReport }) {
  const { summary, filesChanged = [], commitHash, outcome } = report;
  return (
    <section aria-label="Report" className="task-plan">
      <div className="part-title">
        <h2 className="grow">Report</h2>
        {commitHash !== undefined && <span className="mono small">commit {line(commitHash, 60)}</span>}
        {outcome === 'failed' && <span className="pill tone-bad">failed</span>}
      </div>
      <Markdown text={summary} />
      <Lines title="Changed files" lines={filesChanged} isMono />
    </section>
  );
}

interface LinesProps {
  readonly title: string;
  readonly lines: readonly string[];
  readonly isOrdered?: boolean;
  readonly isMono?: boolean;
}

function Lines({ title, lines, isOrdered = false, isMono = false }: LinesProps) {
  if (lines.length === 0) return null;
  const List = isOrdered ? 'ol' : 'ul';
  return (
    <div>
      <h3>{title}</h3>
      <List className={isMono ? 'mono small' : ''}>
        {lines.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines never move, and two may be the same
          <li key={at}>{line(one, 2000)}</li>
        ))}
      </List>
    </div>
  );
}
