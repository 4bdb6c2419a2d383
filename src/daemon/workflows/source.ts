/**
 * Parses an Agentfile that a client sent together with its prompt files, and its inputs. Pure: the client's files are
 * not read.
 */
import { type InputOf, OrchdError } from '../../protocol/index.js';
import { type Problem, parse, takeInputs, type Workflow } from '../../workflow/index.js';

/** Reading an Agentfile takes up to half a second for each MiB, and other requests wait meanwhile. */
export const MAX_AGENTFILE_CHARS = 256 * 1024;

interface WorkflowSource {
  readonly workflow: Workflow;
  readonly name: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly warnings: readonly Problem[];
}

/** @throws {OrchdError} ORCHD_TOO_LARGE; ORCHD_AGENTFILE, ORCHD_INVALID, each with all problems. */
export function readWorkflow({ agentfile, files = {}, name, input }: InputOf<'workflow.run'>): WorkflowSource {
  if (agentfile.length > MAX_AGENTFILE_CHARS) {
    const most = `${MAX_AGENTFILE_CHARS / 1024} KiB of an Agentfile can be run`;
    throw new OrchdError('ORCHD_TOO_LARGE', `at most ${most}: put long prompts into files of their own (FROM)`);
  }
  const readFile = (path: string) => {
    const text = Object.hasOwn(files, path) ? files[path] : undefined;
    return text === undefined ? { problem: 'it was not sent with the Agentfile (`files`)' } : { text };
  };
  const { workflow, problems } = parse(agentfile, { readFile, allowOutside: true });
  const errors = problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first) {
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
    const place = `${first.file ?? 'Agentfile'}:${first.line}:${first.column}`;
    throw new OrchdError('ORCHD_AGENTFILE', `${place}: ${first.message}${more}`, { problems: errors });
  }
  if (workflow.goals.length === 0)
    throw new OrchdError('ORCHD_AGENTFILE', 'there is no GOAL in it: nothing can be run');
  const taken = takeInputs(workflow, input);
  if (taken.problems.length > 0) {
    const message = taken.problems.map((problem) => problem.message).join('; ');
    throw new OrchdError('ORCHD_INVALID', `the inputs do not fit: ${message}`, { errors: taken.problems });
  }
  const warnings = problems.filter(({ severity }) => severity === 'warning');
  return { workflow, name: workflow.name ?? name ?? 'workflow', inputs: Object.fromEntries(taken.values), warnings };
}
