/** Checks values in an Agentfile: numbers within their bounds, possible choices, satisfiable conditions. Pure. */
import { fail, type OutputNode, type ProblemDraft, warn } from '../syntax/index.js';
import { saidOf, type Work, type Works, wordOf } from './works.js';

const MAX_RETRY = 10;
const MAX_TIMEOUT_MS = 30 * 86_400_000;
const MAX_BUDGET = 1_000_000;
const MAX_MACHINE_CHARS = 63;
/** Values of `--machine` that are not names of machines. */
const NO_MACHINES: readonly string[] = ['all', 'local'];

export function checkValues(works: Works, drafts: ProblemDraft[]): void {
  const { agents, goals } = works;
  for (let at = 0, agent = agents[0]; agent; agent = agents[++at]) checkWork(agent, works, drafts);
  for (let at = 0, goal = goals[0]; goal; goal = goals[++at]) checkWork(goal, works, drafts);
}

function checkWork(work: Work, works: Works, drafts: ProblemDraft[]): void {
  checkNumbers(work, drafts);
  const { outputs } = work;
  for (let at = 0, output = outputs[0]; output; output = outputs[++at]) checkChoices(output, drafts);
  const { WITH, REQUIRES } = work.clauses;
  if (REQUIRES?.profile.value.trim() === '')
    fail(drafts, 'value', REQUIRES.profile, 'a profile has a name', 'REQUIRES "profile"');
  if (WITH && REQUIRES)
    warn(drafts, 'ignored', wordOf(REQUIRES), 'WITH says which agent: REQUIRES is not looked at', 'one of them');
  checkPlace(work, drafts);
  if (work.kind === 'ASK') checkAnswer(work, drafts);
  checkCondition(work, works, drafts);
  checkList(work, works, drafts);
}

/** Returns the type of a variable as declared by the last step that sets it. */
const typeOf = (name: string, { makers }: Works): OutputNode['type'] =>
  makers.get(name)?.outputs.findLast((output) => output.name.text === name)?.type ?? null;

function checkNumbers({ clauses: { RETRY, TIMEOUT, BUDGET } }: Work, drafts: ProblemDraft[]): void {
  if (RETRY && (RETRY.number.value < 1 || RETRY.number.value > MAX_RETRY)) {
    fail(drafts, 'value', RETRY.number, 'so often nothing is tried again', `1 to ${MAX_RETRY}`);
  }
  if (TIMEOUT && (TIMEOUT.number.value < 1 || TIMEOUT.number.value > MAX_TIMEOUT_MS)) {
    fail(drafts, 'value', TIMEOUT.number, 'this is not a time to wait', '1ms to 30d');
  }
  if (BUDGET && (BUDGET.number.value <= 0 || BUDGET.number.value > MAX_BUDGET)) {
    fail(drafts, 'value', BUDGET.number, 'nothing can be done with this', `more than 0, at most ${MAX_BUDGET}`);
  }
}

function checkPlace({ clauses: { ON } }: Work, drafts: ProblemDraft[]): void {
  if (!ON) return;
  const { target, isLabel, directory } = ON;
  const what = isLabel ? 'a label' : 'the name of a machine';
  if (target.text.length > MAX_MACHINE_CHARS)
    fail(drafts, 'value', target, `this is too long for ${what}`, `at most ${MAX_MACHINE_CHARS} characters`);
  if (!isLabel && NO_MACHINES.includes(target.text.toLowerCase()))
    fail(
      drafts,
      'value',
      target,
      `${target.text} is not a machine`,
      'one machine, or label:name for any that has a label',
    );
  if (directory?.value.trim() === '') fail(drafts, 'value', directory, 'the directory is empty', 'IN "src/shop"');
}

function checkChoices({ type }: OutputNode, drafts: ProblemDraft[]): void {
  if (!type || !('choices' in type)) return;
  const seen = new Set<string>();
  for (const choice of type.choices) {
    const bare = choice.value.trim();
    if (bare === '') fail(drafts, 'value', choice, 'a choice is empty', 'text');
    else if (bare !== choice.value)
      fail(drafts, 'value', choice, 'a choice has a blank at its edge', JSON.stringify(bare));
    if (seen.has(choice.value)) fail(drafts, 'duplicate', choice, 'this choice is there already', 'another one');
    seen.add(choice.value);
  }
}

/** A person answers with text, so the output of an ASK must be a text. */
function checkAnswer({ outputs: [output] }: Work, drafts: ProblemDraft[]): void {
  const { type = null, name } = output ?? {};
  if (!name || type === null || 'choices' in type) return;
  const isText = (type.word === 'string' || type.word === 'any') && !type.isList;
  if (!isText)
    fail(drafts, 'value', name, 'a person answers with text', `${name.text}: string, or choices: "yes" | "no"`);
}

function checkCondition({ clauses: { WHEN } }: Work, works: Works, drafts: ProblemDraft[]): void {
  if (!WHEN || WHEN.right.kind === 'variable') return;
  const { left, operator, right } = WHEN;
  const isEquality = operator === '==' || operator === '!=';
  if (!isEquality && typeof right.value !== 'number') {
    fail(drafts, 'value', right, `${operator} compares numbers`, 'a number, or == and !=');
  }
  const type = typeOf(left.name, works);
  if (type === null || !isEquality) return;
  if ('choices' in type && !type.choices.some(({ value }) => value === right.value)) {
    const all = type.choices.map(({ value }) => JSON.stringify(value)).join(', ');
    fail(drafts, 'value', right, `$${left.name} is never ${JSON.stringify(right.value)}`, all);
  }
}

function checkList(work: Work, works: Works, drafts: ProblemDraft[]): void {
  if (!work.clauses.FOREACH) return;
  const { list } = work.clauses.FOREACH;
  const type = typeOf(list.name, works);
  if (type === null) return;
  if ('choices' in type || (!type.isList && type.word !== 'any')) {
    fail(
      drafts,
      'value',
      list,
      `${saidOf(work)} goes through $${list.name}, which is not a list`,
      `-> ${list.name}: string[]`,
    );
  }
}
