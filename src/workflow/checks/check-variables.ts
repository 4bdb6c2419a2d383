/**
 * Checks that each variable is known where it is used. Pure.
 *
 * Goals run in the order of the RUNs, or of the file. A goal knows the INPUTs, the outputs of earlier goals, and its
 * own FOREACH item. An AGENT knows what its goal knows. The set of known variables only grows, so each text is checked
 * once.
 */
import { suggest } from '../../protocol/index.js';
import { MAX_PROBLEMS, type ProblemDraft, type Use, warn } from '../syntax/index.js';

import { type PromptText, saidOf, type Work, type Works } from './works.js';

const NONE: readonly Use[] = [];

export function checkVariables(works: Works, drafts: ProblemDraft[]): void {
  const { inputs, agentsByName, makers } = works;
  const known = new Set(inputs.map(({ name }) => name.text));
  const used = new Set<string>();
  /** Variables of each AGENT, by its name, that no goal has known so far, except items. */
  const open = new Map<string, readonly Use[]>();
  let said = 0;

  const say = (use: Use, prompt: PromptText | null, goal: Work, by: string): void => {
    const maker = makers.get(use.name);
    const names = said++ < MAX_PROBLEMS ? [...known] : [];
    const hint = (): string =>
      suggest(use.name, names, `INPUT ${use.name}`) + (prompt === null ? '' : '; $$ for a dollar sign');
    drafts.push({
      severity: 'error',
      code: maker ? 'order' : 'unknown_variable',
      message: maker
        ? late(use, maker, goal, by)
        : `there is no variable $${use.name}${by && ` in ${saidOf(goal)}`}${by}`,
      accepted: maker ? orderHint(maker, goal) : hint,
      span: { from: use.from, to: use.to },
      ...(prompt?.file && { file: prompt.file }),
    });
  };
  const look = (use: Use, prompt: PromptText | null, goal: Work): void => {
    used.add(use.name);
    const isItem = prompt !== null && goal.clauses.FOREACH?.item.name === use.name;
    if (!known.has(use.name) && !isItem) say(use, prompt, goal, '');
  };
  const lookAtAgent = (agent: Work, goal: Work): void => {
    const item = goal.clauses.FOREACH?.item.name;
    let left: Use[] | undefined;
    const uses = open.get(agent.name.text) ?? agent.prompt.uses;
    for (let at = 0, use = uses[0]; use; use = uses[++at]) {
      used.add(use.name);
      if (known.has(use.name)) continue;
      if (use.name === item) left = [...(left ?? []), use];
      else say(use, agent.prompt, goal, `, which uses ${agent.name.text}`);
    }
    open.set(agent.name.text, left ?? NONE);
  };

  for (const goal of inOrder(works)) {
    const { WHEN, FOREACH } = goal.clauses;
    const { prompt, agents, outputs } = goal;
    for (let at = 0, use = prompt.uses[0]; use; use = prompt.uses[++at]) look(use, prompt, goal);
    if (WHEN) look(WHEN.left, null, goal);
    if (WHEN?.right.kind === 'variable') look(WHEN.right, null, goal);
    if (FOREACH) look(FOREACH.list, null, goal);
    for (let at = 0, word = agents[0]; word; word = agents[++at]) {
      const agent = agentsByName.get(word.text);
      if (agent) lookAtAgent(agent, goal);
    }
    for (let at = 0, output = outputs[0]; output; output = outputs[++at]) known.add(output.name.text);
  }
  for (const { name } of inputs) {
    if (!used.has(name.text)) warn(drafts, 'unused', name, `no prompt has INPUT ${name.text} in it`, `$${name.text}`);
  }
}

/** Returns the goals in running order, each once; then the goals that no RUN names, which are checked as well. */
function inOrder({ goals, runs, goalsByName }: Works): Iterable<Work> {
  if (runs.length === 0) return goals;
  const listed = runs.flatMap((run) => run.goals.flatMap(({ text }) => goalsByName.get(text) ?? []));
  return new Set([...listed, ...goals]);
}

function late(use: Use, maker: Work, goal: Work, by: string): string {
  if (maker === goal) return `$${use.name} is an output of ${saidOf(goal)} itself, and not known before`;
  return `$${use.name} is made by ${saidOf(maker)}, which runs after ${saidOf(goal)}${by}`;
}

/** Suggests another order, unless the two goals depend on each other, when no order is right. */
function orderHint(maker: Work, goal: Work): () => string {
  return () => {
    const needs = new Set(maker.prompt.uses.map(({ name }) => name));
    const mine = goal.outputs.find(({ name }) => needs.has(name.text));
    if (maker === goal) return 'a variable of an earlier GOAL';
    if (mine) return `one without the other: ${saidOf(maker)} needs $${mine.name.text} of ${saidOf(goal)}`;
    return `${maker.name.text} before ${goal.name.text}`;
  };
}
