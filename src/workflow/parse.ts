/**
 * Parses and checks an Agentfile. Pure.
 *
 * In:   the text, and a function that reads the files named by FROM.
 * Out:  all problems with their positions, and the workflow as far as it could be read. If there are no errors, the
 *       workflow can be planned and run. Never throws.
 */
import {
  checkNames,
  checkValues,
  checkVariables,
  collect,
  type ReadFile,
  toWorkflow,
  type Works,
} from './checks/index.js';
import { locate, type Problem, parseTree } from './syntax/index.js';
import type { Workflow } from './workflow.js';

interface ParseOptions {
  /** Reads a prompt file. Default: files are neither read nor checked. */
  readonly readFile?: ReadFile;
  /** True if FROM may name files outside the Agentfile's directory. */
  readonly allowOutside?: boolean;
}

export interface Parsing {
  readonly workflow: Workflow;
  readonly problems: readonly Problem[];
}

/** The result for callers that do not need the workflow. */
export interface Check {
  readonly problems: readonly Problem[];
  /** Number of GOALs and ASKs. */
  readonly goals: number;
  readonly agents: number;
}

/** Parses and checks an Agentfile. */
export function parse(text: string, options: ParseOptions = {}): Parsing {
  const { works, problems } = read(text, options);
  return { workflow: toWorkflow(works), problems };
}

/** Like `parse`, without building the workflow, which takes a large part of the time. */
export function check(text: string, options: ParseOptions = {}): Check {
  const { works, problems } = read(text, options);
  return { problems, goals: works.goals.length, agents: works.agents.length };
}

function read(text: string, { readFile, allowOutside = false }: ParseOptions): { works: Works; problems: Problem[] } {
  const { tree, drafts: found } = parseTree(text);
  const drafts = [...found];
  const works = collect(tree, readFile ?? null, allowOutside, drafts);
  checkNames(works, tree.isCut, drafts);
  checkValues(works, drafts);
  if (!tree.isCut) checkVariables(works, drafts);
  return { works, problems: locate(text, drafts) };
}
