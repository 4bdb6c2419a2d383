/**
 * Converts the parsed instructions of an Agentfile to a workflow. Pure.
 *
 * In:   instructions, with or without problems. Parts that could not be read are left out.
 * Out:  a workflow as defined by protocol/workflow.schema.json.
 */
import type { ClausesByKind, Operand, OutputNode } from '../syntax/index.js';
import type { Agent, Ask, Condition, Goal, MachineSelector, Output, Workflow } from '../workflow.js';
import type { Work, Works } from './works.js';

export function toWorkflow(works: Works): Workflow {
  const goals: (Goal | Ask)[] = [];
  for (const work of works.goals) {
    const goal = work.kind === 'ASK' ? toAsk(work) : toGoal(work);
    if (goal) goals.push(goal);
  }
  return {
    name: works.names[0]?.text ?? null,
    inputs: works.inputs.map((node) => ({
      name: node.name.text,
      default: node.default?.value ?? null,
      line: node.at.line,
    })),
    agents: works.agents.map(toAgent),
    goals,
    runs: works.runs.map((node) => ({
      name: node.name.text,
      goals: node.goals.map((goal) => goal.text),
      line: node.at.line,
    })),
  };
}

function toAgent({ at, name, prompt, outputs, clauses }: Work): Agent {
  const { WITH, REQUIRES, RETRY, TIMEOUT, BUDGET, ON } = clauses;
  return {
    name: name.text,
    prompt: { text: prompt.value, file: prompt.path ?? null },
    outputs: outputs.map(toOutput),
    blueprint: WITH?.blueprint.text ?? null,
    profile: REQUIRES?.profile.value ?? null,
    retry: RETRY?.number.value ?? 0,
    timeout_ms: TIMEOUT?.number.value ?? null,
    budget: BUDGET?.number.value ?? null,
    place: ON && toPlace(ON),
    line: at.line,
  };
}

function toGoal(work: Work): Goal {
  const { WHEN, FOREACH } = work.clauses;
  return {
    kind: 'goal',
    ...toAgent(work),
    agents: work.agents.map(({ text }) => text),
    when: toCondition(WHEN),
    foreach: FOREACH ? { item: FOREACH.item.name, list: FOREACH.list.name } : null,
  };
}

const toPlace = ({ target, isLabel, directory }: NonNullable<ClausesByKind['ON']>): MachineSelector => ({
  kind: isLabel ? 'label' : 'machine',
  name: target.text,
  directory: directory?.value ?? null,
});

/** Returns null without an answer; a problem was already reported. */
function toAsk({ at, name, prompt, outputs, clauses }: Work): Ask | null {
  const [output] = outputs;
  if (!output) return null;
  const common = { kind: 'ask' as const, name: name.text, question: prompt.value ?? '', output: toOutput(output) };
  const timeout_ms = clauses.TIMEOUT?.number.value ?? null;
  return { ...common, when: toCondition(clauses.WHEN), timeout_ms, line: at.line };
}

const NO_CHOICES: readonly string[] = [];

function toOutput({ name, type }: OutputNode): Output {
  if (type === null) return { name: name.text, type: 'any', is_list: false, choices: NO_CHOICES };
  if ('word' in type) return { name: name.text, type: type.word, is_list: type.isList, choices: NO_CHOICES };
  return { name: name.text, type: 'choice', is_list: false, choices: type.choices.map(({ value }) => value) };
}

function toCondition(when: ClausesByKind['WHEN']): Condition | null {
  return when ? { variable: when.left.name, operator: when.operator, right: toRight(when.right) } : null;
}

const toRight = (right: Operand): Condition['right'] =>
  right.kind === 'variable' ? { variable: right.name } : { value: right.value };
