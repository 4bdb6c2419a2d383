/** The steps of a workflow run in their order, each with its runs and what it made. */
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import {
  placeWords,
  STEP_BADGES,
  type WorkflowRun,
  type WorkflowStep,
  type WorkflowStepRun,
} from '../../protocol/index.js';
import { useMachines } from '../live/machines.js';
import { durationWords } from '../parts/age.js';
import { StatePill } from '../parts/state-pill.js';
import { ExactText } from '../text/exact-text.js';
import { line } from '../text/label-text.js';
import { Markdown } from '../text/markdown.js';
import { stepWords } from './workflow-words.js';

interface StepsProps {
  readonly run: WorkflowRun;
  /** The id of the open step; '' for none. */
  readonly chosen: string;
  readonly onChoose: (step: string) => void;
}

export function Steps({ run: { steps }, chosen, onChoose }: StepsProps) {
  return (
    <section aria-label="Steps">
      <div className="part-title">
        <h2>Steps</h2>
      </div>
      <ol className="workflow-steps">
        {steps.map((step) => (
          <OneStep key={step.id} step={step} isOpen={step.id === chosen} onChoose={onChoose} />
        ))}
      </ol>
    </section>
  );
}

interface OneStepProps extends Pick<StepsProps, 'onChoose'> {
  readonly step: WorkflowStep;
  readonly isOpen: boolean;
}

function OneStep({ step, isOpen, onChoose }: OneStepProps) {
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpen) place.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const { id, state, started_at, ended_at } = step;
  return (
    <li ref={place} data-step={id} data-state={state}>
      <button type="button" className="step-head" aria-expanded={isOpen} onClick={() => onChoose(isOpen ? '' : id)}>
        <StatePill badge={STEP_BADGES[state]} word={state} />
        <strong className="cut">{line(id, 80)}</strong>
        <span className="muted small cut grow">{stepWords(step)}</span>
        {started_at !== null && ended_at !== null && (
          <span className="muted small">{durationWords(started_at, ended_at)}</span>
        )}
      </button>
      {isOpen && <StepDetail step={step} />}
    </li>
  );
}

/** A run on another machine is known there. Here, the page of its session can be opened while it runs. */
function RunLink({ name, run: { run_id, machine } }: { readonly name: string; readonly run: WorkflowStepRun }) {
  const { sessions } = useMachines();
  const words = line(name, 80);
  if (machine === undefined) return <Link href={`/runs/${run_id}`}>{words}</Link>;
  const there = sessions.find(({ session }) => session.run_id === run_id);
  return there ? <Link href={`/sessions/${there.session.id}`}>{words}</Link> : <span>{words}</span>;
}

function StepDetail({ step }: { readonly step: WorkflowStep }) {
  const { id, needs, question, runs, values, result, error, run } = step;
  return (
    <div className="step-detail">
      {run !== null && <p className="muted small">Part of {line(run, 80)}</p>}
      {needs.length > 0 && <p className="muted small">After {line(needs.join(', '), 400)}</p>}
      {question !== null && <Markdown text={question} />}
      {error && <p className="notice bad">{line(error.message, 2000)}</p>}
      {runs.length > 0 && (
        <ul className="step-runs">
          {runs.map((one) => (
            <li key={one.run_id}>
              <RunLink name={one.agent ?? id} run={one} />
              <span className="muted small">
                {one.entry === null ? '' : `entry ${one.entry}, `}
                {one.machine === undefined ? '' : `${line(placeWords(one.machine), 80)}, `}
                {one.state}
                {one.error ? `: ${line(one.error.message, 400)}` : ''}
              </span>
            </li>
          ))}
        </ul>
      )}
      {Object.entries(values ?? {}).map(([name, value]) => (
        <div key={name}>
          <h3 className="mono small">${line(name, 80)}</h3>
          <ExactText
            text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
            label={`Value of ${name}`}
          />
        </div>
      ))}
      {values === null && result !== null && (
        <ExactText text={[result].flat().join('\n\n')} label={`Result of ${id}`} />
      )}
    </div>
  );
}
