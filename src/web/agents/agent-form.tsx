/** The form of an agent's definition. It saves only what the daemon accepts. */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { Blueprint, BlueprintTool, SchemaError } from '../../protocol/index.js';
import { useLive } from '../live/live.js';
import { ConfirmButton } from '../parts/confirm.js';
import { ErrorNote } from '../parts/error-note.js';
import { Choice, NumberField, TextArea, TextField } from '../parts/form-fields.js';
import { line } from '../text/label-text.js';
import { type AgentDraft, type DraftField, draftOf, fieldOf, NEW_AGENT, readDraft } from './draft.js';
import { isFar, refusedFields } from './refused-fields.js';
import { SchemaFieldset } from './schema-field.js';
import { useJudgement } from './use-judgement.js';

interface AgentFormProps {
  /** Null for a new agent. */
  readonly agent: Blueprint | null;
  /** The agent of which a new agent is a copy. */
  readonly copyOf?: Blueprint | undefined;
  /** The project in which the agent is looked up or created. */
  readonly project: string | undefined;
  readonly adapters: readonly string[];
  readonly onSaved: (agent: Blueprint) => void;
  readonly onDeleted: () => void;
}

const TOOLS: readonly (readonly [tool: BlueprintTool, about: string])[] = [
  ['ask', 'asks you in the inbox'],
  ['report_status', 'says what it does'],
  ['report_blocked', 'says that it cannot go on'],
  ['report_error', 'says what failed'],
  ['request_review', 'asks for a review'],
  ['task_complete', 'says that it is done'],
  ['spawn_agent', 'starts other agents'],
  ['completion-report', 'ends the work on a task'],
  ['planner-output', 'ends the planning of a task'],
];

/** The key of unsaved texts of an agent, which are kept for the life of the tab. */
const draftKey = (agent: Blueprint | null, copyOf: Blueprint | undefined): string =>
  `orchd.agent.${agent ? `${agent.project ?? ''}:${agent.name}` : `new:${copyOf?.name ?? ''}`}`;

interface Kept {
  /** The time at which the agent was last written when this draft began, and the form's values at that time. */
  readonly since: string | null;
  readonly base: AgentDraft;
  readonly draft: AgentDraft;
}

function readKept(key: string): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Kept | null; // only this form writes it
  } catch {
    return null;
  }
}

export function AgentForm({ agent, copyOf, project, adapters, onSaved, onDeleted }: AgentFormProps) {
  const { api, device } = useLive();
  const key = draftKey(agent, copyOf);
  const original = useMemo<AgentDraft>(
    () => (agent ? draftOf(agent) : copyOf ? { ...draftOf(copyOf), name: `${copyOf.name}-copy` } : NEW_AGENT),
    [agent, copyOf],
  );
  const since = agent?.updated_at ?? null;
  const fresh: Kept = { since, base: original, draft: original };
  const [kept, setKept] = useState<Kept>(() => readKept(key) ?? fresh);
  const { draft } = kept;
  const isChanged = JSON.stringify(draft) !== JSON.stringify(kept.base);
  const isOld = agent !== null && isChanged && kept.since !== since;
  const isReadOnly = device.role !== 'all' || agent?.source === 'built-in';
  const summary = useRef<HTMLDivElement>(null);
  const [isRefused, setRefused] = useState(false);
  const ids = useId();

  // If the agent was saved elsewhere, its new state is shown, unless there are unsaved changes here.
  useEffect(() => {
    setKept((now) =>
      JSON.stringify(now.draft) === JSON.stringify(now.base) ? { since, base: original, draft: original } : now,
    );
  }, [since, original]);
  useEffect(() => {
    if (isChanged) sessionStorage.setItem(key, JSON.stringify(kept));
    else sessionStorage.removeItem(key);
  }, [key, kept, isChanged]);

  const { definition, problems } = readDraft(draft, agent ?? copyOf ?? null);
  const judgement = useJudgement(definition);
  const change = (part: Partial<AgentDraft>): void => {
    setRefused(false);
    setKept({ ...kept, draft: { ...draft, ...part } });
  };
  const errorsOf = (field: DraftField): readonly SchemaError[] =>
    judgement.errors.filter(({ path }) => fieldOf(path) === field);
  const wordsOf = (field: DraftField): readonly string[] =>
    problems[field] ?? errorsOf(field).map(({ message }) => message);
  const schemaErrors = (field: 'outputSchema' | 'inputSchema'): readonly SchemaError[] =>
    errorsOf(field).map(({ path, message }) => ({ path: path.replace(/^\$\.\w+/, '$'), message }));
  const isNameless = draft.name.trim() === '';

  const save = useMutation({
    mutationFn: async () => {
      const { valid, errors } = await api.call('blueprint.validate', { ...definition });
      if (!valid || Object.keys(problems).length > 0) return { refused: errors };
      const place = project === undefined ? {} : { project };
      const saved = agent
        ? await api.call('blueprint.update', { ...definition, ...place, name: agent.name })
        : await api.call('blueprint.create', { ...definition, ...place });
      return { saved };
    },
    onSuccess: (outcome) => {
      if ('refused' in outcome) {
        setRefused(true);
        summary.current?.focus();
        return;
      }
      sessionStorage.removeItem(key);
      const saved = draftOf(outcome.saved);
      setKept({ since: outcome.saved.updated_at, base: saved, draft: saved });
      onSaved(outcome.saved);
    },
  });
  const remove = useMutation({
    mutationFn: () =>
      api.call('blueprint.delete', { name: agent?.name ?? '', ...(project !== undefined && { project }) }),
    onSuccess: () => {
      sessionStorage.removeItem(key);
      onDeleted();
    },
  });
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    if (!isReadOnly && !save.isPending) save.mutate();
  };
  const field = (name: DraftField) => ({
    value: String(draft[name]),
    errors: wordsOf(name),
    isReadOnly,
    onChange: (value: string) => change({ [name]: value }),
  });
  const refusals = refusedFields(draft, judgement.errors, problems);

  return (
    <form className="sheet agent-form" onSubmit={submit} aria-label={agent ? `Agent ${agent.name}` : 'New agent'}>
      {agent?.source === 'built-in' && (
        <p className="notice">It is built in. Make a copy to change it: a copy of the same name is used instead.</p>
      )}
      {device.role !== 'all' && <p className="notice">This browser may look at agents, not change them.</p>}
      {isOld && (
        <div className="notice warn">
          <span className="grow">This agent was saved elsewhere meanwhile. Saving here replaces what was saved.</span>
          <button type="button" className="button" onClick={() => setKept(fresh)}>
            Drop my changes
          </button>
        </div>
      )}
      <div className="form-grid">
        {!agent && (
          <TextField
            label="Name"
            hint="Letters, digits, dots, dashes. Runs and other agents call it by this name."
            placeholder="pr-reviewer"
            {...field('name')}
            errors={isNameless ? [] : wordsOf('name')}
          />
        )}
        <TextField
          label="Description"
          hint="Its purpose, in a sentence."
          {...field('description')}
          isWide={agent !== null}
        />
      </div>
      <TextArea
        label="Instructions"
        hint="The system prompt: who the agent is, and how it works."
        rows={7}
        {...field('instructions')}
      />
      <SchemaFieldset
        title="Custom Output Schema"
        about="A JSON Schema for the result. The agent is told the schema, and what it returns is checked. If it does not fit, the agent gets the errors and one more try. Valid results are in result_data."
        isOn={draft.result === 'schema'}
        onSwitch={(isOn) => change({ result: isOn ? 'schema' : 'text' })}
        text={draft.outputSchema}
        onChange={(outputSchema) => change({ outputSchema })}
        errors={schemaErrors('outputSchema')}
        isChecking={judgement.isChecking}
        isReadOnly={isReadOnly}
        onSave={submit}
      />
      <SchemaFieldset
        title="Input Schema"
        about="A JSON Schema for what a run is given beside its prompt. Runs with other input are refused."
        isOn={draft.takesInput}
        onSwitch={(takesInput) => change({ takesInput })}
        text={draft.inputSchema}
        onChange={(inputSchema) => change({ inputSchema })}
        errors={schemaErrors('inputSchema')}
        isChecking={judgement.isChecking}
        isReadOnly={isReadOnly}
        onSave={submit}
      />
      <details className="form-part" open={isFar(draft) || refusals.some(({ isFar: far }) => far)}>
        <summary>Program, tools and limits</summary>
        <div className="form-grid">
          <TextField
            label="Agent program"
            hint="Default: the configured one."
            placeholder="claude"
            list={`${ids}-adapters`}
            {...field('adapter')}
          />
          <datalist id={`${ids}-adapters`}>
            {adapters.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <TextField label="Model" hint="As the program names it." {...field('model')} />
          <TextArea label="Arguments" hint="One per line." rows={2} isMono {...field('args')} />
          <TextField
            label="Environment"
            hint="Names of variables that it gets from the caller of a run. Never values."
            placeholder="API_TOKEN, REGION"
            {...field('env')}
          />
          <TextArea label="Prompt" hint="For runs without a prompt of their own." rows={2} {...field('prompt')} />
          <Choice
            label="Runs in a terminal"
            hint="In a terminal you can attach to it, and it can ask in the inbox."
            isReadOnly={isReadOnly}
            value={draft.interactive}
            options={[
              ['', 'only if the program has no other mode'],
              ['yes', 'yes'],
              ['no', 'no'],
            ]}
            errors={wordsOf('interactive')}
            onChange={(interactive) => change({ interactive })}
          />
          <Choice
            label="Result"
            hint="An envelope has a status, deliverables, next steps, and a text for people."
            isReadOnly={isReadOnly}
            value={draft.result}
            options={[
              ['text', 'text'],
              ['schema', 'JSON by the output schema'],
              ['envelope', 'an output envelope'],
            ]}
            errors={wordsOf('result')}
            onChange={(result) => change({ result })}
          />
          <NumberField label="Time limit, seconds" {...field('timeout')} />
          <NumberField label="Most turns" {...field('maxTurns')} />
          <NumberField label="Cost limit, US dollars" {...field('maxCost')} />
        </div>
        <fieldset className="tool-choices" disabled={isReadOnly}>
          <legend>Tools of orchd</legend>
          {TOOLS.map(([tool, about]) => (
            <label key={tool} className="check">
              <input
                type="checkbox"
                checked={draft.tools.includes(tool)}
                onChange={({ target }) =>
                  change({
                    tools: TOOLS.map(([one]) => one).filter((one) =>
                      one === tool ? target.checked : draft.tools.includes(one),
                    ),
                  })
                }
              />
              <span>
                <span className="mono">{tool}</span> <span className="muted small">{about}</span>
              </span>
            </label>
          ))}
        </fieldset>
      </details>
      <div ref={summary} tabIndex={-1} className="form-summary">
        {isRefused && refusals.length > 0 && (
          <div className="notice bad" role="alert">
            <div>
              <strong>Not saved.</strong> Mend this first:
              <ul>
                {refusals.map(({ title, words }) => (
                  <li key={`${title} ${words}`}>
                    {title}: {line(words)}
                  </li>
                ))}
              </ul>
            </div>
          </div>
        )}
        {save.error && <ErrorNote error={save.error} />}
        {remove.error && <ErrorNote error={remove.error} />}
      </div>
      {!isReadOnly && (
        <div className="form-foot">
          <button
            type="submit"
            className="button primary"
            disabled={save.isPending || isNameless || (agent !== null && !isChanged)}
          >
            {save.isPending ? 'Saving…' : agent ? 'Save' : 'Create agent'}
          </button>
          {isChanged && (
            <button type="button" className="button quiet" onClick={() => setKept(fresh)}>
              Drop my changes
            </button>
          )}
          <span className="muted small" role="status">
            {isChanged ? 'Not saved yet' : agent ? 'Saved' : ''}
          </span>
          <span className="grow" />
          {agent && (
            <ConfirmButton
              label="Delete"
              title={`Delete ${line(agent.name, 40)}?`}
              act={`Delete ${line(agent.name, 40)}`}
              isDisabled={remove.isPending}
              onConfirm={() => remove.mutate()}
            >
              You cannot bring it back. Its runs stay.
            </ConfirmButton>
          )}
        </div>
      )}
    </form>
  );
}
