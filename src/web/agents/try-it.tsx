/** Runs an agent once, and shows how the run fares, to the result and every attempt. */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { type Blueprint, OrchdError } from '../../protocol/index.js';
import { useLive } from '../live/live.js';
import { ErrorNote } from '../parts/error-note.js';
import { FolderField, TextArea } from '../parts/form-fields.js';
import { RunView } from '../runs/run-view.js';
import { emptyValue, formOf } from './schema-fields.js';
import { SchemaForm } from './schema-form.js';

interface TryItProps {
  readonly agent: Blueprint;
  readonly project: string | undefined;
  /** The run that was started last; null before. */
  readonly runId: string | null;
  readonly hrefOf: (run: string) => string;
}

/** Returns what to do about an error here, if the catalogue names only options of commands. */
const hintOf = (error: Error): string | undefined =>
  error instanceof OrchdError && error.code === 'ORCHD_NO_BATCH'
    ? 'Choose its program on the tab “Definition”, under “Program, tools and limits”.'
    : undefined;

export function TryIt({ agent, project, runId, hrefOf }: TryItProps) {
  const { api, device } = useLive();
  const [, go] = useLocation();
  const key = `orchd.try.${agent.name}`;
  const [prompt, setPrompt] = useState(() => sessionStorage.getItem(key) ?? agent.prompt ?? '');
  const [folder, setFolder] = useState(project ?? '');
  const form = agent.input_schema === undefined ? null : formOf(agent.input_schema);
  const [input, setInput] = useState<unknown>(() => (form ? emptyValue(form) : undefined));
  const start = useMutation({
    mutationFn: () => {
      sessionStorage.setItem(key, prompt);
      return api.call('run.start', {
        blueprint: agent.name,
        ...(prompt.trim() !== '' && { prompt }),
        ...(project !== undefined && { project }),
        ...(folder.trim() !== '' && { cwd: folder.trim() }),
        ...(input !== undefined && { input: input as NonNullable<unknown> | null }), // a JSON value
      });
    },
    onSuccess: ({ id }) => go(hrefOf(id), { replace: runId !== null }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!start.isPending) start.mutate();
  };
  const mayRun = device.role === 'all';
  return (
    <div className="sheet">
      <form className="try-form" onSubmit={submit} aria-label="Try it">
        <p className="muted">
          This starts a run of the agent as it was saved last. It works in the folder, and costs what a run costs.
        </p>
        <TextArea
          label="Prompt"
          rows={3}
          value={prompt}
          placeholder="What should the agent do?"
          isReadOnly={!mayRun}
          onChange={setPrompt}
        />
        {form && (
          <fieldset className="try-input" disabled={!mayRun}>
            <legend>Input</legend>
            <SchemaForm field={form} value={input} onChange={setInput} />
          </fieldset>
        )}
        <FolderField of="the agent" value={folder} isReadOnly={!mayRun} onChange={setFolder} />
        {start.error && <ErrorNote error={start.error} hint={hintOf(start.error)} />}
        <div className="row">
          <button
            type="submit"
            className="button primary"
            disabled={!mayRun || start.isPending || (prompt.trim() === '' && agent.prompt === undefined)}
          >
            {start.isPending ? 'Starting…' : runId === null ? 'Run it' : 'Run it again'}
          </button>
          {!mayRun && <span className="muted small">This browser may look at runs, not start them.</span>}
        </div>
      </form>
      {runId !== null && <RunView key={runId} id={runId} isLinked />}
    </div>
  );
}
