/** A new workflow: its Agentfile in the editor, its problems and its graph beside it, its inputs, and its start. */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, lazy, Suspense, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { format, type Problem, parse } from '../../workflow/index.js';
import { useNarrow } from '../browser/use-narrow.js';
import { problemRanges } from '../code/agentfile-tokens.js';
import { useLive } from '../live/live.js';
import { ErrorNote } from '../parts/error-note.js';
import { FolderField, NumberField, TextField } from '../parts/form-fields.js';
import { BackLink } from '../parts/split.js';
import { line } from '../text/label-text.js';
import { keepDraft, readDraft } from './draft.js';

const WorkflowGraph = lazy(() => import('./workflow-graph.js'));
const AgentfileEditor = lazy(() => import('../code/agentfile-editor.js'));

const EXAMPLE = `NAME report
INPUT topic

GOAL research "Collect facts about $topic" -> facts: string[]
ASK go "Write the report about $topic?" -> go: "yes" | "no"
GOAL write "Write a report from $facts" WHEN $go == "yes"
`;

export function NewWorkflow() {
  const { device } = useLive();
  const isNarrow = useNarrow();
  const [text, setText] = useState(() => readDraft() || EXAMPLE);
  const [inputs, setInputs] = useState<Readonly<Record<string, string>>>({});
  const search = new URLSearchParams(useSearch());
  const [folder, setFolder] = useState(search.get('folder') ?? '');
  const file = search.get('file');
  const [jobs, setJobs] = useState('');
  const write = useCallback((next: string) => {
    setText(next);
    keepDraft(next);
  }, []);
  const { workflow, problems, ranges, isWrong, files, isCurrent } = useParsed(text);
  const given = Object.fromEntries(
    workflow.inputs.flatMap(({ name }) => (inputs[name] ? [[name, inputs[name]] as const] : [])),
  );
  const missing = workflow.inputs.filter((input) => input.default === null && !inputs[input.name]);
  const start = useStart({ agentfile: text, input: given, cwd: folder.trim(), jobs: jobs.trim() });
  const mayRun = device.role === 'all';
  const isRunnable =
    mayRun && !isWrong && isCurrent && missing.length === 0 && files.length === 0 && workflow.goals.length > 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isRunnable && !start.isPending) start.mutate();
  };
  return (
    <>
      <Head text={text} isWrong={isWrong} onFormatted={write} />
      <div className="page-body">
        <form className="sheet" onSubmit={submit} aria-label="New workflow">
          {file && <p className="muted small">A copy of {line(file, 200)}. The file itself stays as it is.</p>}
          <Source text={text} problems={problems} ranges={ranges} isReadOnly={!mayRun} onChange={write} />
          {files.length > 0 && <FilesNotice files={files} />}
          {!isWrong && workflow.goals.length > 0 && (
            <Suspense fallback={<div className="workflow-graph" aria-busy="true" />}>
              <WorkflowGraph workflow={workflow} run={null} chosen={null} onChoose={() => {}} isNarrow={isNarrow} />
            </Suspense>
          )}
          <div className="form-grid">
            <InputFields inputs={workflow.inputs} values={inputs} isReadOnly={!mayRun} onChange={setInputs} />
            <FolderField of="its agents" value={folder} isReadOnly={!mayRun} onChange={setFolder} />
            <NumberField
              label="Jobs"
              hint="How many goals may run at the same time. Default: 1."
              value={jobs}
              isReadOnly={!mayRun}
              onChange={setJobs}
            />
          </div>
          <p className="muted">
            Its agents get the environment of a login, not that of a shell of yours. <code>orchd workflow run</code>{' '}
            gives them the environment that it is called in.
          </p>
          {start.error && <ErrorNote error={start.error} />}
          <div className="row">
            <button type="submit" className="button primary" disabled={!isRunnable || start.isPending}>
              {start.isPending ? 'Starting…' : 'Run it'}
            </button>
            {missing.length > 0 && !isWrong && (
              <span className="muted small">Needs a value for {missing.map(({ name }) => name).join(', ')}.</span>
            )}
            {!mayRun && <span className="muted small">This browser may look at workflows, not run them.</span>}
          </div>
        </form>
      </div>
    </>
  );
}

interface HeadProps {
  readonly text: string;
  readonly isWrong: boolean;
  readonly onFormatted: (text: string) => void;
}

const Head = ({ text, isWrong, onFormatted }: HeadProps) => (
  <header className="page-head">
    <BackLink href="/workflows" />
    <h1 className="grow">New workflow</h1>
    <button
      type="button"
      className="button"
      disabled={isWrong}
      onClick={() => {
        const formatted = format(text);
        if (formatted.ok) onFormatted(formatted.text);
      }}
    >
      Format
    </button>
  </header>
);

interface StartOptions {
  readonly agentfile: string;
  readonly input: Readonly<Record<string, string>>;
  /** The folder of its agents; '' for the default. */
  readonly cwd: string;
  /** How many goals may run at the same time; '' for the default. */
  readonly jobs: string;
}

/** Starts the workflow and shows its run. */
function useStart({ agentfile, input, cwd, jobs }: StartOptions) {
  const { api } = useLive();
  const [, go] = useLocation();
  return useMutation({
    mutationFn: () =>
      api.call('workflow.run', {
        agentfile,
        input,
        ...(cwd !== '' && { cwd, project: cwd }),
        ...(jobs !== '' && { jobs: Number(jobs) }),
      }),
    onSuccess: ({ id }) => {
      keepDraft('');
      go(`/workflows/${id}`, { replace: true });
    },
  });
}

/** Reads the Agentfile, a little later than it is typed. `isCurrent` is false until then. */
function useParsed(text: string) {
  const read = useDeferredValue(text);
  const { workflow, problems } = useMemo(() => parse(read), [read]);
  const ranges = useMemo(() => problemRanges(read, problems), [read, problems]);
  const isWrong = problems.some(({ severity }) => severity === 'error');
  const files = [...workflow.goals, ...workflow.agents].flatMap((one) =>
    'prompt' in one && one.prompt.file !== null ? [one.prompt.file] : [],
  );
  return { workflow, problems, ranges, isWrong, files, isCurrent: read === text };
}

const FilesNotice = ({ files }: { readonly files: readonly string[] }) => (
  <p className="notice warn">
    <span>
      It reads its prompts from files ({line([...new Set(files)].join(', '), 200)}). <code>orchd workflow run</code> in
      a terminal sends them with the Agentfile; this page cannot.
    </span>
  </p>
);

interface SourceProps {
  readonly text: string;
  readonly problems: readonly Problem[];
  /** The part of the text that each problem concerns. */
  readonly ranges: ReturnType<typeof problemRanges>;
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
}

/** The editor of the Agentfile, and its problems. A click on a problem selects its part of the text. */
function Source({ text, problems, ranges, isReadOnly, onChange }: SourceProps) {
  const select = useRef<(from: number, to: number) => void>(null);
  return (
    <>
      <div className="agentfile-field">
        <Suspense fallback={<div className="code-wait">Loading the editor…</div>}>
          <AgentfileEditor
            value={text}
            label="Agentfile"
            problems={ranges}
            isReadOnly={isReadOnly}
            onChange={onChange}
            onReady={(choose) => {
              select.current = choose;
            }}
          />
        </Suspense>
      </div>
      <Problems
        problems={problems}
        onChoose={(at) => {
          const range = ranges[at];
          if (range) select.current?.(range.from, range.to);
        }}
      />
    </>
  );
}

interface InputFieldsProps {
  readonly inputs: ReturnType<typeof parse>['workflow']['inputs'];
  readonly values: Readonly<Record<string, string>>;
  readonly isReadOnly: boolean;
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
}

function InputFields({ inputs, values, isReadOnly, onChange }: InputFieldsProps) {
  return inputs.map((input) => (
    <TextField
      key={input.name}
      label={`Input ${input.name}`}
      hint={input.default === null ? '' : `Default: ${line(input.default, 80)}`}
      value={values[input.name] ?? ''}
      isReadOnly={isReadOnly}
      onChange={(value) => onChange({ ...values, [input.name]: value })}
    />
  ));
}

const MAX_PROBLEMS = 100;

interface ProblemsProps {
  readonly problems: readonly Problem[];
  /** Called with the place of a problem in the list. */
  readonly onChoose: (at: number) => void;
}

function Problems({ problems, onChoose }: ProblemsProps) {
  if (problems.length === 0) return <p className="tone-good small">It has no problems.</p>;
  return (
    <ul className="agentfile-problems" aria-label="Problems">
      {problems.slice(0, MAX_PROBLEMS).map(({ severity, message, accepted, line: at, column }, index) => (
        <li key={`${at} ${column} ${message}`}>
          <button type="button" className="button quiet" onClick={() => onChoose(index)}>
            <span className={severity === 'error' ? 'tone-bad' : 'tone-warn'}>
              {at}:{column}
            </span>{' '}
            {line(message, 300)}
            {accepted !== null && <span className="muted"> expected: {line(accepted, 200)}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
