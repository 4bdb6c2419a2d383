/** The form of a new task. */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { useLive, useOperation } from '../live/live.js';
import { ErrorNote } from '../parts/error-note.js';
import { Choice, FolderField, TextArea } from '../parts/form-fields.js';
import { BackLink } from '../parts/split.js';
import { line } from '../text/label-text.js';

const DRAFT = 'orchd.task';
/** The next step after the task is created: none, a plan, or a plan and then its execution. */
type Then = 'nothing' | 'plan' | 'start';
const THEN = [
  ['plan', 'plan it, and wait for my start'],
  ['start', 'plan it, and start it as soon as it is planned'],
  ['nothing', 'only keep it'],
] as const satisfies readonly (readonly [Then, string])[];

export function NewTask() {
  const { device } = useLive();
  const [prompt, setPrompt] = useState(() => sessionStorage.getItem(DRAFT) ?? '');
  const [agent, setAgent] = useState('');
  const [folder, setFolder] = useState('');
  const [then, setThen] = useState<Then>('plan');
  const cwd = folder.trim();
  const inProject = cwd.startsWith('/') ? { project: cwd } : {};
  const agents = useOperation(['agents'], 'blueprint.list', inProject).data ?? [];
  const create = useCreate({ prompt, agent, cwd, then });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (prompt.trim() !== '' && !create.isPending) create.mutate();
  };
  const mayCreate = device.role === 'all';
  return (
    <>
      <header className="page-head">
        <BackLink href="/tasks" isAlways />
        <h1>New task</h1>
      </header>
      <div className="page-body">
        <form className="sheet" onSubmit={submit} aria-label="New task">
          <TextArea
            label="What should be done?"
            rows={6}
            value={prompt}
            placeholder="Add a --json option to the list command, with tests."
            isReadOnly={!mayCreate}
            onChange={(text) => {
              setPrompt(text);
              sessionStorage.setItem(DRAFT, text);
            }}
          />
          <div className="form-grid">
            <FolderField of="its agents" value={folder} isReadOnly={!mayCreate} onChange={setFolder} />
            <Choice
              label="Agent"
              hint="The agent that does the task once it is planned."
              value={agent}
              options={[['', 'as the planner decides'], ...agents.map(({ name }) => [name, line(name, 80)] as const)]}
              isReadOnly={!mayCreate}
              onChange={setAgent}
            />
            <Choice label="Then" value={then} options={THEN} isReadOnly={!mayCreate} onChange={setThen} />
          </div>
          <p className="muted">
            Its agents get the environment of a login, not that of a shell of yours. <code>orchd task create</code>{' '}
            gives them the environment that it is called in.
          </p>
          {create.error && <ErrorNote error={create.error} />}
          <div className="row">
            <button
              type="submit"
              className="button primary"
              disabled={!mayCreate || prompt.trim() === '' || create.isPending}
            >
              {create.isPending ? 'Creating…' : 'Create the task'}
            </button>
            {!mayCreate && <span className="muted small">This browser may look at tasks, not create them.</span>}
          </div>
        </form>
      </div>
    </>
  );
}

interface Wanted {
  readonly prompt: string;
  /** The agent that does the task; '' if the planner decides. */
  readonly agent: string;
  /** The folder of its agents; '' for the default. */
  readonly cwd: string;
  readonly then: Then;
}

/** Creates the task and shows it. */
function useCreate({ prompt, agent, cwd, then }: Wanted) {
  const { api } = useLive();
  const [, go] = useLocation();
  return useMutation({
    mutationFn: () =>
      api.call('task.create', {
        prompt,
        plan: then !== 'nothing',
        start: then === 'start',
        ...(agent !== '' && { agent }),
        ...(cwd !== '' && { cwd, project: cwd }),
      }),
    onSuccess: ({ id }) => {
      sessionStorage.removeItem(DRAFT);
      go(`/tasks/${id}`, { replace: true });
    },
  });
}
