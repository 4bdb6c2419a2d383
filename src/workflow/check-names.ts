/** Checks of names: what is given twice, what means two things, what is not there, what is never used. Pure. */
import { suggest } from './near.js';
import type { Draft } from './problems.js';
import type { Word } from './tree.js';
import { fail, saidOf, type Work, type Works, warn } from './works.js';

export function checkNames(works: Works, isCut: boolean, drafts: Draft[]): void {
  const { names, inputs, agents, goals, runs } = works;
  for (const name of names.slice(1)) fail(drafts, 'duplicate', name, 'the workflow has a name already', 'one NAME');
  checkTwice(
    'INPUT',
    inputs.map(({ name }) => name),
    drafts,
  );
  checkTwice(
    'AGENT',
    agents.map(({ name }) => name),
    drafts,
  );
  checkTwice(
    'GOAL',
    goals.map(({ name }) => name),
    drafts,
  );
  checkTwice(
    'RUN',
    runs.map(({ name }) => name),
    drafts,
  );
  for (const work of [...agents, ...goals]) {
    if (work.outputs.length > 1) checkTwice('output', work.outputs.map(nameOf), drafts);
    checkTwice('AGENT', work.agents, drafts);
  }
  for (const { goals: listed } of runs) checkTwice('GOAL', listed, drafts);
  checkOutputs(works, drafts);
  checkSimilar('variables', variablesOf(works), drafts);
  checkSimilar(
    'AGENTs',
    agents.map(({ name }) => name),
    drafts,
  );
  checkSimilar(
    'GOALs',
    goals.map(({ name }) => name),
    drafts,
  );
  // What is not there may be in the text that was swallowed.
  if (!isCut) checkListed(works, drafts);
}

const variablesOf = ({ inputs, goals }: Works): Word[] => [
  ...inputs.map(({ name }) => name),
  ...goals.flatMap(({ outputs }) => outputs.map(({ name }) => name)),
];

const nameOf = ({ name }: { readonly name: Word }): Word => name;

/** In each list alone. */
function checkTwice(what: string, words: readonly Word[], drafts: Draft[]): void {
  if (words.length < 2) return;
  const seen = new Set<string>();
  for (const word of words) {
    if (seen.has(word.text)) fail(drafts, 'duplicate', word, `${what} ${word.text} is there already`, 'another name');
    seen.add(word.text);
  }
}

function checkOutputs({ inputs, agents, goals }: Works, drafts: Draft[]): void {
  const given = new Set(inputs.map(({ name }) => name.text));
  const made = new Map<string, Work>();
  for (const work of [...agents, ...goals]) {
    for (const { name } of work.outputs) {
      if (given.has(name.text)) {
        fail(drafts, 'conflict', name, `the output ${name.text} of ${saidOf(work)} is an INPUT`, 'another name');
      }
      if (work.kind === 'AGENT') continue;
      const before = made.get(name.text);
      // Who says WHEN means one or the other.
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
  for (const { clauses } of goals) {
    const { item } = clauses.FOREACH ?? {};
    if (!item) continue;
    const what = given.has(item.name) ? 'an INPUT' : made.has(item.name) ? 'an output' : null;
    if (what) fail(drafts, 'conflict', item, `$${item.name} is ${what} already`, 'another name');
  }
}

function checkSimilar(what: string, words: readonly Word[], drafts: Draft[]): void {
  const seen = new Map<string, string>();
  for (const word of words) {
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

/** USING names AGENTs in a GOAL, and GOALs in a RUN; what nobody names does nothing. */
function checkListed({ agents, goals, runs }: Works, drafts: Draft[]): void {
  const agentNames = agents.map(({ name }) => name.text);
  const goalNames = goals.map(({ name }) => name.text);
  const [areAgents, areGoals] = [new Set(agentNames), new Set(goalNames)];
  const used = new Set(goals.flatMap((goal) => goal.agents.map(({ text }) => text)));
  for (const word of goals.flatMap((goal) => goal.agents)) {
    if (areAgents.has(word.text)) continue;
    const isGoal = areGoals.has(word.text) ? '; it is a GOAL' : '';
    const none = 'AGENT name "prompt"';
    fail(drafts, 'unknown_agent', word, `there is no AGENT ${word.text}${isGoal}`, () =>
      suggest(word.text, agentNames, none),
    );
  }
  for (const word of runs.flatMap((run) => run.goals)) {
    if (areGoals.has(word.text)) continue;
    const isAgent = areAgents.has(word.text) ? '; it is an AGENT' : '';
    const none = 'GOAL name "prompt"';
    fail(drafts, 'unknown_goal', word, `there is no GOAL ${word.text}${isAgent}`, () =>
      suggest(word.text, goalNames, none),
    );
  }
  for (const { name } of agents) {
    if (!used.has(name.text))
      warn(drafts, 'unused', name, `no GOAL uses AGENT ${name.text}`, `GOAL … USING ${name.text}`);
  }
  const run = new Set(runs.flatMap((one) => one.goals.map(({ text }) => text)));
  for (const goal of goals) {
    if (runs.length === 0 || run.has(goal.name.text)) continue;
    warn(drafts, 'unused', goal.name, `no RUN names ${saidOf(goal)}: it is not run`, `RUN … USING ${goal.name.text}`);
  }
  if (goals.length === 0)
    fail(drafts, 'missing', { from: 0, to: 0 }, 'there is no GOAL: nothing would be done', 'GOAL name "prompt"');
}
