/**
 * An Agentfile's text as a workflow, with everything that is wrong in it. Pure.
 *
 * In:   the text, and a way to read the files that FROM names.
 * Out:  all problems, each with its place; and the workflow as far as it could be read, which without an error among
 *       them can be planned and run. Never throws.
 */
import { checkNames } from './check-names.js';
import { checkValues } from './check-values.js';
import { checkVariables } from './check-variables.js';
import { toWorkflow } from './checked-form.js';
import { parseTree } from './parser.js';
import { locate, type Problem } from './problems.js';
import type { ReadFile } from './prompt-files.js';
import type { Workflow } from './workflow.js';
import { collect, type Works } from './works.js';

export interface ParseOptions {
  /** Not there: files are not read, and not looked at. */
  readonly readFile?: ReadFile;
  /** Whether FROM may name files outside of the Agentfile's directory. */
  readonly allowOutside?: boolean;
}

export interface Parsing {
  readonly workflow: Workflow;
  readonly problems: readonly Problem[];
}

/** What is in it, for who needs to know no more. */
export interface Check {
  readonly problems: readonly Problem[];
  /** GOALs and ASKs. */
  readonly goals: number;
  readonly agents: number;
}

export function parse(text: string, options: ParseOptions = {}): Parsing {
  const { works, problems } = read(text, options);
  return { workflow: toWorkflow(works), problems };
}

/** As `parse`, without the workflow, whose making is a good part of the work. */
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
