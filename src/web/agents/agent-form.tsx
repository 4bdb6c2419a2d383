/** The form of an agent's definition. It saves only what the daemon accepts. */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import type { Blueprint, SchemaError } from '../../protocol/index.js';
import { useLive } from '../live/live.js';
import { ConfirmButton } from '../parts/confirm.js';
import { ErrorNote } from '../parts/error-note.js';
import { TextArea, TextField } from '../parts/form-fields.js';
import { line } from '../text/label-text.js';
import { type AgentDraft, type DraftField, fieldOf, readDraft } from './draft.js';
import { type FieldState, ProgramFields } from './program-fields.js';
import { isFar, refusedFields } from './refused-fields.js';
import { SchemaFieldset } from './schema-field.js';
import { useAgentDraft } from './use-agent-draft.js';
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

export function AgentForm(props: AgentFormProps) {
  const { agent, adapters } = props;
  const { device } = useLive();
  const form = useAgentForm(props);
  const { isReadOnly, refusals, save, remove, change, submit, field, schema } = form;
  const { draft, isChanged, isOutdated, reset } = form.edited;
  const isNameless = draft.name.trim() === '';

  return (
    <form className="sheet agent-form" onSubmit={submit} aria-label={agent ? `Agent ${agent.name}` : 'New agent'}>
      <Notices isBuiltIn={agent?.source === 'built-in'} isViewer={device.role !== 'all'} />
      {isOutdated && <OutdatedNotice onReset={reset} />}
      <div className="form-grid">
        {!agent && <NameField {...field('name')} {...(isNameless && { errors: [] })} />}
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
        {...schema('outputSchema')}
      />
      <SchemaFieldset
        title="Input Schema"
        about="A JSON Schema for what a run is given beside its prompt. Runs with other input are refused."
        isOn={draft.takesInput}
        onSwitch={(takesInput) => change({ takesInput })}
        {...schema('inputSchema')}
      />
      <ProgramFields
        draft={draft}
        adapters={adapters}
        isOpen={isFar(draft) || refusals.some(({ isFar: far }) => far)}
        isReadOnly={isReadOnly}
        field={field}
        change={change}
      />
      <div ref={form.summary} tabIndex={-1} className="form-summary">
        {form.isRefused && refusals.length > 0 && <Refusals refusals={refusals} />}
        {save.error && <ErrorNote error={save.error} />}
        {remove.error && <ErrorNote error={remove.error} />}
      </div>
      {!isReadOnly && (
        <FormFoot
          agent={agent}
          isChanged={isChanged}
          isNameless={isNameless}
          isSaving={save.isPending}
          isDeleting={remove.isPending}
          onReset={reset}
          onDelete={() => remove.mutate()}
        />
      )}
    </form>
  );
}

/** Returns the draft of an agent, its errors, and what the form does with it. */
function useAgentForm({ agent, copyOf, project, onSaved, onDeleted }: AgentFormProps) {
  const { device } = useLive();
  const edited = useAgentDraft(agent, copyOf);
  const { draft } = edited;
  const isReadOnly = device.role !== 'all' || agent?.source === 'built-in';
  const summary = useRef<HTMLDivElement>(null);
  const [isRefused, setRefused] = useState(false);

  const { definition, problems } = readDraft(draft, agent ?? copyOf ?? null);
  const judgement = useJudgement(definition);
  const { save, remove } = useStoredAgent({
    agent,
    project,
    definition,
    hasProblems: Object.keys(problems).length > 0,
    onRefused: () => {
      setRefused(true);
      summary.current?.focus();
    },
    onSaved: (saved) => {
      edited.saved(saved);
      onSaved(saved);
    },
    onDeleted: () => {
      edited.forget();
      onDeleted();
    },
  });
  const change = (part: Partial<AgentDraft>): void => {
    setRefused(false);
    edited.change(part);
  };
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    if (!isReadOnly && !save.isPending) save.mutate();
  };
  const errorsOf = (field: DraftField): readonly SchemaError[] =>
    judgement.errors.filter(({ path }) => fieldOf(path) === field);
  const field = (name: DraftField): FieldState => ({
    value: String(draft[name]),
    errors: problems[name] ?? errorsOf(name).map(({ message }) => message),
    isReadOnly,
    onChange: (value) => change({ [name]: value }),
  });
  const schema = (name: 'outputSchema' | 'inputSchema') => ({
    text: draft[name],
    errors: errorsOf(name).map(({ path, message }) => ({ path: path.replace(/^\$\.\w+/, '$'), message })),
    isChecking: judgement.isChecking,
    isReadOnly,
    onChange: (text: string) => change({ [name]: text }),
    onSave: submit,
  });
  const refusals = refusedFields(draft, judgement.errors, problems);
  return { edited, isReadOnly, summary, isRefused, refusals, save, remove, change, submit, field, schema };
}

interface FormFootProps {
  readonly agent: Blueprint | null;
  readonly isChanged: boolean;
  readonly isNameless: boolean;
  readonly isSaving: boolean;
  readonly isDeleting: boolean;
  readonly onReset: () => void;
  readonly onDelete: () => void;
}

const FormFoot = ({ agent, isChanged, isNameless, isSaving, isDeleting, onReset, onDelete }: FormFootProps) => (
  <div className="form-foot">
    <button
      type="submit"
      className="button primary"
      disabled={isSaving || isNameless || (agent !== null && !isChanged)}
    >
      {isSaving ? 'Saving…' : agent ? 'Save' : 'Create agent'}
    </button>
    {isChanged && <ResetButton isQuiet onReset={onReset} />}
    <span className="muted small" role="status">
      {isChanged ? 'Not saved yet' : agent ? 'Saved' : ''}
    </span>
    <span className="grow" />
    {agent && <DeleteButton name={agent.name} isDisabled={isDeleting} onConfirm={onDelete} />}
  </div>
);

interface StoredAgentOptions {
  readonly agent: Blueprint | null;
  readonly project: string | undefined;
  readonly definition: ReturnType<typeof readDraft>['definition'];
  /** True if fields of the form cannot be read. */
  readonly hasProblems: boolean;
  readonly onRefused: () => void;
  readonly onSaved: (agent: Blueprint) => void;
  readonly onDeleted: () => void;
}

/** Saves and deletes an agent in the daemon, which checks its definition first. */
function useStoredAgent(options: StoredAgentOptions) {
  const { api } = useLive();
  const { agent, definition } = options;
  const project = options.project === undefined ? {} : { project: options.project };
  const save = useMutation({
    mutationFn: async () => {
      const { valid } = await api.call('blueprint.validate', { ...definition });
      if (!valid || options.hasProblems) return null;
      return agent
        ? api.call('blueprint.update', { ...definition, ...project, name: agent.name })
        : api.call('blueprint.create', { ...definition, ...project });
    },
    onSuccess: (saved) => (saved ? options.onSaved(saved) : options.onRefused()),
  });
  const remove = useMutation({
    mutationFn: () => api.call('blueprint.delete', { name: agent?.name ?? '', ...project }),
    onSuccess: options.onDeleted,
  });
  return { save, remove };
}

function Notices({ isBuiltIn, isViewer }: { readonly isBuiltIn: boolean; readonly isViewer: boolean }): ReactNode {
  return (
    <>
      {isBuiltIn && (
        <p className="notice">It is built in. Make a copy to change it: a copy of the same name is used instead.</p>
      )}
      {isViewer && <p className="notice">This browser may look at agents, not change them.</p>}
    </>
  );
}

const OutdatedNotice = ({ onReset }: { readonly onReset: () => void }) => (
  <div className="notice warn">
    <span className="grow">This agent was saved elsewhere meanwhile. Saving here replaces what was saved.</span>
    <ResetButton onReset={onReset} />
  </div>
);

const ResetButton = ({ isQuiet, onReset }: { readonly isQuiet?: boolean; readonly onReset: () => void }) => (
  <button type="button" className={isQuiet ? 'button quiet' : 'button'} onClick={onReset}>
    Drop my changes
  </button>
);

const NameField = (field: FieldState) => (
  <TextField
    label="Name"
    hint="Letters, digits, dots, dashes. Runs and other agents call it by this name."
    placeholder="pr-reviewer"
    {...field}
  />
);

const Refusals = ({ refusals }: { readonly refusals: ReturnType<typeof refusedFields> }) => (
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
);

interface DeleteButtonProps {
  readonly name: string;
  readonly isDisabled: boolean;
  readonly onConfirm: () => void;
}

const DeleteButton = ({ name, isDisabled, onConfirm }: DeleteButtonProps) => (
  <ConfirmButton
    label="Delete"
    title={`Delete ${line(name, 40)}?`}
    act={`Delete ${line(name, 40)}`}
    isDisabled={isDisabled}
    onConfirm={onConfirm}
  >
    You cannot bring it back. Its runs stay.
  </ConfirmButton>
);
