/**
 * Collects the AGENTs, GOALs and ASKs of an Agentfile with their clauses by kind, before they are checked against each
 * other. Pure.
 *
 * In:   the tree, and a function that reads prompt files.
 * Out:  all declarations in the order of the file, and problems within single instructions: repeated or missing parts.
 *
 * Loops over all instructions use counters, here and in the checks. A process checks a file once, in code that V8 has
 * not optimized yet, where `for…of` allocates an object per turn: 8 MB for 10,000 lines.
 */
import {
  type AskNode,
  type Clause,
  type ClausesByKind,
  fail,
  type Instruction,
  type Literal,
  type Mark,
  type OutputNode,
  type ProblemDraft,
  type PromptFile,
  quoted,
  type Span,
  type Tree,
  type Use,
  type Word,
  type WorkNode,
  warn,
} from '../syntax/index.js';
import { createPromptReader, type ReadFile } from './prompt-files.js';

export interface Work {
  readonly kind: 'AGENT' | 'GOAL' | 'ASK';
  readonly at: Mark;
  readonly name: Word;
  readonly clauses: ClausesByKind;
  readonly prompt: PromptText;
  readonly outputs: readonly OutputNode[];
  readonly agents: readonly Word[];
}

/** A prompt. A text in quotes has this shape, too. */
export interface PromptText {
  /** The content; null if it could not be read. */
  readonly value: string | null;
  readonly uses: readonly Use[];
  /** The path of the file that FROM names. */
  readonly path?: string;
  /** The file that contains the uses; undefined for the Agentfile. */
  readonly file?: PromptFile;
}

type InputNode = Extract<Instruction, { kind: 'INPUT' }>;
type RunNode = Extract<Instruction, { kind: 'RUN' }>;

export interface Works {
  readonly names: readonly Word[];
  readonly inputs: readonly InputNode[];
  readonly agents: readonly Work[];
  /** GOALs and ASKs. */
  readonly goals: readonly Work[];
  readonly runs: readonly RunNode[];
  /** The agents by name. If several have the same name, the last one counts, as in all these maps. */
  readonly agentsByName: ReadonlyMap<string, Work>;
  readonly goalsByName: ReadonlyMap<string, Work>;
  /** The GOAL or ASK that sets each variable. */
  readonly makers: ReadonlyMap<string, Work>;
  /** Number of outputs of all GOALs and ASKs. */
  readonly outputCount: number;
}

const NONE: readonly never[] = [];

export function collect(
  { instructions }: Tree,
  readFile: ReadFile | null,
  allowOutside: boolean,
  drafts: ProblemDraft[],
): Works {
  const prompts = createPromptReader(readFile, allowOutside, drafts);
  const [names, inputs, agents, goals, runs]: [Word[], InputNode[], Work[], Work[], RunNode[]] = [[], [], [], [], []];
  const [agentsByName, goalsByName, makers] = [
    new Map<string, Work>(),
    new Map<string, Work>(),
    new Map<string, Work>(),
  ];
  let outputCount = 0;
  for (let at = 0, node = instructions[0]; node; node = instructions[++at]) {
    if (node.kind === 'NAME') names.push(node.name);
    else if (node.kind === 'INPUT') inputs.push(node);
    else if (node.kind === 'RUN') runs.push(node);
    else if (node.kind === 'AGENT') {
      const agent = toWork(node, prompts, drafts);
      agents.push(agent);
      agentsByName.set(agent.name.text, agent);
    } else {
      const goal = node.kind === 'ASK' ? toAsk(node, drafts) : toWork(node, prompts, drafts);
      if (!goal) continue;
      goals.push(goal);
      goalsByName.set(goal.name.text, goal);
      outputCount += goal.outputs.length;
      for (let nth = 0, output = goal.outputs[0]; output; output = goal.outputs[++nth])
        makers.set(output.name.text, goal);
    }
  }
  return { names, inputs, agents, goals, runs, agentsByName, goalsByName, makers, outputCount };
}

function toWork(
  { kind, at, name, clauses, repeated }: WorkNode,
  prompts: (path: Word) => PromptText,
  drafts: ProblemDraft[],
): Work {
  if (repeated.length > 0) failRepeated(kind, repeated, drafts);
  const prompt = promptOf(kind, name, clauses, prompts, drafts);
  const outputs = clauses['->']?.outputs ?? NONE;
  return { kind, at, name, clauses, prompt, outputs, agents: clauses.USING?.agents ?? NONE };
}

/** Returns null if the ASK has neither a name nor an answer. */
function toAsk({ kind, at, name, question, clauses, repeated }: AskNode, drafts: ProblemDraft[]): Work | null {
  failRepeated(kind, repeated, drafts);
  const outputs = clauses['->']?.outputs ?? NONE;
  if (outputs.length !== 1) {
    const what = outputs.length === 0 ? 'is not kept' : 'cannot be several variables';
    fail(drafts, 'missing', at, `the answer of ASK ${what}`, 'ASK "question" -> answer');
  }
  if (isEmpty(question.value)) fail(drafts, 'missing', question, 'the question is empty');
  const own = name ?? outputs[0]?.name;
  return own ? { kind, at, name: own, clauses, prompt: question, outputs, agents: NONE } : null;
}

function failRepeated(of: string, repeated: readonly Clause[], drafts: ProblemDraft[]): void {
  for (const clause of repeated) {
    const { kind } = clause;
    const what = kind === 'prompt' || kind === 'FROM' ? 'a prompt' : kind;
    fail(drafts, 'duplicate', wordOf(clause), `this ${of} has ${what} already`, 'one');
  }
}

/** Returns the position of a clause's word. A prompt has no word, so the position is that of its text. */
export const wordOf = (clause: Clause): Span =>
  clause.kind === 'prompt' ? clause.text : { from: clause.at, to: clause.at + clause.kind.length };

/** A longer prompt is better kept in a file. */
const LONG_PROMPT_CHARS = 200;

function promptOf(
  of: 'AGENT' | 'GOAL',
  name: Word,
  { prompt, FROM }: ClausesByKind,
  read: (path: Word) => PromptText,
  drafts: ProblemDraft[],
): PromptText {
  if (FROM) return read(FROM.path);
  if (!prompt) {
    fail(drafts, 'missing', name, `${of} ${name.text} has no prompt`, 'a prompt in quotes, or FROM path');
    return { value: '', uses: NONE };
  }
  const { text } = prompt;
  if (isEmpty(text.value))
    fail(drafts, 'missing', text, `the prompt of ${of} ${name.text} is empty`, 'what it is to do');
  warnOfLength(of, name, text, drafts);
  return text;
}

function warnOfLength(of: string, name: Word, text: Literal, drafts: ProblemDraft[]): void {
  if (text.value.length <= LONG_PROMPT_CHARS) return;
  const length = Array.from(text.value).length;
  if (length <= LONG_PROMPT_CHARS) return;
  const message = `the prompt of ${of} ${name.text} has ${length} characters; consider using a FROM file`;
  const span = { from: text.from, to: text.from + (text.isBlock ? 3 : 1) };
  warn(drafts, 'long_prompt', span, message, `FROM prompts/${name.text}.md`);
}

const isEmpty = (text: string): boolean => text.trim() === '';

export const saidOf = ({ kind, name }: Work): string => `${kind} ${quoted(name.text).slice(1, -1)}`;
