/** Checks names in an Agentfile: duplicates, ambiguous names, unknown names, and unused ones. Pure. */

import { suggest } from '../../protocol/index.js';
import { fail, type ProblemDraft, type Word, warn } from '../syntax/index.js';
import { saidOf, type Work, type Works } from './works.js';

interface Named {
  readonly name: Word;
}

export function checkNames(works: Works, isCut: boolean, drafts: ProblemDraft[]): void {
  const { names, inputs, agents, goals, runs, agentsByName, goalsByName, makers, outputCount } = works;
  for (const name of names.slice(1)) fail(drafts, 'duplicate', name, 'the workflow has a name already', 'one NAME');
  checkTwice('INPUT', inputs, nameOf, drafts);
  if (agentsByName.size < agents.length) checkTwice('AGENT', agents, nameOf, drafts);
  if (goalsByName.size < goals.length) checkTwice('GOAL', goals, nameOf, drafts);
  checkTwice('RUN', runs, nameOf, drafts);
  const given = new Set(inputs.map(textOf));
  for (let at = 0, agent = agents[0]; agent; agent = agents[++at]) checkWork(agent, given, drafts);
  for (let at = 0, goal = goals[0]; goal; goal = goals[++at]) checkWork(goal, given, drafts);
  for (const { goals: listed } of runs) checkTwice('GOAL', listed, itself, drafts);
  if (makers.size < outputCount) checkShadowed(goals, drafts);
  checkItems(works, given, drafts);
  // Two names can differ by case alone only if one of them contains a capital.
  const all = [...given, ...makers.keys(), ...agentsByName.keys(), ...goalsByName.keys()];
  if (CAPITAL.test(all.join(' '))) {
    checkSimilar('variables', [...inputs, ...goals.flatMap(({ outputs }) => outputs)], drafts);
    checkSimilar('AGENTs', agents, drafts);
    checkSimilar('GOALs', goals, drafts);
  }
  // A text without closing quotes may have swallowed the missing name.
  if (!isCut) checkListed(works, drafts);
}

const nameOf = ({ name }: Named): Word => name;
const itself = (word: Word): Word => word;

/** Checks for duplicates within one list. */
function checkTwice<T>(what: string, list: readonly T[], wordOf: (one: T) => Word, drafts: ProblemDraft[]): void {
  // A fast path for the usual short list.
  if (list.length === 2 && wordOf(list[0] as T).text !== wordOf(list[1] as T).text) return;
  const seen = new Set<string>();
  for (const one of list) {
    const word = wordOf(one);
    if (seen.has(word.text)) fail(drafts, 'duplicate', word, `${what} ${word.text} is there already`, 'another name');
    seen.add(word.text);
  }
}

function checkWork(work: Work, given: ReadonlySet<string>, drafts: ProblemDraft[]): void {
  const { outputs, agents } = work;
  if (outputs.length > 1) checkTwice('output', outputs, nameOf, drafts);
  for (let at = 0, output = outputs[0]; output; output = outputs[++at]) {
    const { name } = output;
    if (!given.has(name.text)) continue;
    fail(drafts, 'conflict', name, `the output ${name.text} of ${saidOf(work)} is an INPUT`, 'another name');
  }
  if (agents.length > 1) checkTwice('AGENT', agents, itself, drafts);
}

function checkShadowed(goals: readonly Work[], drafts: ProblemDraft[]): void {
  const made = new Map<string, Work>();
  for (const work of goals) {
    for (const { name } of work.outputs) {
      const before = made.get(name.text);
      // If the goal has WHEN, both goals may set the variable: each runs in another case.
      if (before && before !== work && !work.clauses.WHEN) {
        warn(
          drafts,
          'shadowed',
          name,
          `the output ${name.text} takes the place of that of ${saidOf(before)}`,
          'another name',
        );
      }
      made.set(name.text, work);
    }
  }
}

function checkItems({ goals, makers }: Works, given: ReadonlySet<string>, drafts: ProblemDraft[]): void {
  for (let at = 0, goal = goals[0]; goal; goal = goals[++at]) {
    const item = goal.clauses.FOREACH?.item;
    if (!item) continue;
    const what = given.has(item.name) ? 'an INPUT' : makers.has(item.name) ? 'an output' : null;
    if (what) fail(drafts, 'conflict', item, `$${item.name} is ${what} already`, 'another name');
  }
}

const CAPITAL = /[A-Z]/;

function checkSimilar(what: string, list: readonly Named[], drafts: ProblemDraft[]): void {
  const seen = new Map<string, string>();
  for (const { name: word } of list) {
    const lower = word.text.toLowerCase();
    const before = seen.get(lower);
    if (before === undefined) seen.set(lower, word.text);
    else if (before !== word.text) {
      warn(
        drafts,
        'similar_names',
        word,
        `the ${what} ${before} and ${word.text} differ only by case`,
        'names that differ in letters',
      );
    }
  }
}

/** USING names AGENTs in a GOAL, and GOALs in a RUN. An AGENT or GOAL that is never named has no effect. */
function checkListed({ agents, goals, runs, agentsByName, goalsByName }: Works, drafts: ProblemDraft[]): void {
  const used = new Set<string>();
  for (let at = 0, goal = goals[0]; goal; goal = goals[++at]) {
    for (let nth = 0, word = goal.agents[0]; word; word = goal.agents[++nth]) {
      used.add(word.text);
      if (agentsByName.has(word.text)) continue;
      const isGoal = goalsByName.has(word.text) ? '; it is a GOAL' : '';
      const none = 'AGENT name "prompt"';
      const { text } = word;
      fail(drafts, 'unknown_agent', word, `there is no AGENT ${text}${isGoal}`, () =>
        suggest(text, agents.map(textOf), none),
      );
    }
  }
  const run = new Set<string>();
  for (const word of runs.flatMap((one) => one.goals)) {
    run.add(word.text);
    if (goalsByName.has(word.text)) continue;
    const isAgent = agentsByName.has(word.text) ? '; it is an AGENT' : '';
    const none = 'GOAL name "prompt"';
    fail(drafts, 'unknown_goal', word, `there is no GOAL ${word.text}${isAgent}`, () =>
      suggest(word.text, goals.map(textOf), none),
    );
  }
  for (let at = 0, agent = agents[0]; agent; agent = agents[++at]) {
    const { name } = agent;
    if (!used.has(name.text))
      warn(drafts, 'unused', name, `no GOAL uses AGENT ${name.text}`, `GOAL … USING ${name.text}`);
  }
  for (let at = 0, goal = runs.length > 0 ? goals[0] : undefined; goal; goal = goals[++at]) {
    if (run.has(goal.name.text)) continue;
    warn(drafts, 'unused', goal.name, `no RUN names ${saidOf(goal)}: it is not run`, `RUN … USING ${goal.name.text}`);
  }
  if (goals.length === 0)
    fail(drafts, 'missing', { from: 0, to: 0 }, 'there is no GOAL: nothing would be done', 'GOAL name "prompt"');
}

const textOf = ({ name }: Named): string => name.text;
