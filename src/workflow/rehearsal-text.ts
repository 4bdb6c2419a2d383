/**
 * Formats a rehearsal for people, in at most 80 columns. Pure.
 *
 *     weekly: 2 steps, one after the other; 3 to 6 calls of agents
 *       $branch = fix-login
 *
 *     1. review -> summary, verdict: "approve" | "reject"
 *        2 to 4 calls
 *        security -> issues: string[]
 *          | Find security problems in fix-login
 *        synthesis
 *          | Review fix-login
 */
import { counted, displayText, wrap } from '../protocol/index.js';
import { conditionInWords, outputsInWords } from './graph/model.js';
import type { Calls, Rehearsal, RehearsedCondition, RehearsedGoal, RehearsedRun, RehearsedStep } from './rehearse.js';
import { LABEL } from './syntax/index.js';
import type { MachineSelector } from './workflow.js';

const COLUMNS = 80;
/** Maximum number of rows of a prompt, unless `isFull` is set. */
const ROWS = 3;
const INDENT = '   ';
const QUOTED = `${INDENT}  | `;

/** @param isFull  True to show long prompts completely. */
export function rehearsalText({ name, inputs, jobs, calls, steps }: Rehearsal, isFull = false): string {
  const order = jobs === 1 ? 'one after the other' : `at most ${jobs} at the same time`;
  const how = steps.length < 2 ? '' : `, ${order}`; // one step has no order
  const lines = rows(
    `${name ?? 'workflow'}: ${counted(steps.length, 'step')}${how}; ${inWords(calls)} of agents`,
    '',
    '  ',
  );
  for (const [input, value] of Object.entries(inputs)) lines.push(...quote(`$${input} = ${value}`, '  ', isFull));
  const ordered = [...steps.entries()].sort(([, a], [, b]) => a.stage - b.stage);
  let last: RehearsedStep | undefined;
  for (const [index, step] of ordered) {
    const isNewStage = step.stage !== last?.stage;
    if (isNewStage) lines.push('');
    if (step.run !== null && step.run !== last?.run) lines.push(...rows(`RUN ${step.run}`, ''));
    if (isNewStage && jobs > 1) lines.push(`stage ${step.stage + 1}`);
    lines.push(...stepRows(step, `${index + 1}. `, isFull));
    last = step;
  }
  return `${[...lines, '', ...remarks(steps, jobs, calls)].join('\n').trimEnd()}\n`;
}

function stepRows(step: RehearsedStep, number: string, isFull: boolean): string[] {
  const isAsk = step.kind === 'ask';
  const title = isAsk ? `${step.id} asks you ${outputsInWords([step.output])}` : titleOf(step.id, step);
  const facts = isAsk ? clausesOf(step) : [callsOf(step), ...clausesOf(step)];
  const lines = [...rows(title, number), ...(facts.length === 0 ? [] : rows(facts.join(', '), INDENT))];
  if (step.when) lines.push(...rows(whenInWords(step.when), INDENT));
  if (isAsk) return [...lines, ...quote(step.question, QUOTED, isFull)];
  return [...lines, ...promptRows(step, isFull)];
}

function promptRows({ agents, prompt }: RehearsedGoal, isFull: boolean): string[] {
  const lines: string[] = [];
  for (const agent of agents) {
    lines.push(...rows([titleOf(agent.name, agent), ...clausesOf(agent)].join(', '), INDENT));
    lines.push(...quote(agent.prompt ?? '', QUOTED, isFull));
  }
  if (agents.length > 0) lines.push(`${INDENT}synthesis`);
  return [...lines, ...quote(prompt ?? '', QUOTED, isFull)];
}

function callsOf({ foreach, once, calls }: RehearsedGoal): string {
  return foreach ? `${inWords(once)} for each $${foreach.item} in $${foreach.list}` : inWords(calls);
}

const titleOf = (name: string, { outputs }: RehearsedRun): string =>
  [name, outputsInWords(outputs)].filter((part) => part !== '').join(' ');

/** Formats the clauses as in the Agentfile. */
function clausesOf({
  blueprint = null,
  profile = null,
  retry = 0,
  timeout_ms = null,
  budget = null,
  place = null,
}: Partial<RehearsedRun>): string[] {
  return [
    blueprint === null ? '' : `WITH ${blueprint}`,
    profile === null ? '' : `REQUIRES ${JSON.stringify(profile)}`,
    retry === 0 ? '' : `RETRY ${retry}`,
    timeout_ms === null ? '' : `TIMEOUT ${durationInWords(timeout_ms)}`,
    budget === null ? '' : `BUDGET ${budget}`,
    place === null ? '' : placeInWords(place),
  ].filter((clause) => clause !== '');
}

const placeInWords = ({ kind, name, directory }: MachineSelector): string =>
  [
    `ON ${kind === 'label' ? `${LABEL}:` : ''}${name}`,
    ...(directory === null ? [] : [`IN ${JSON.stringify(directory)}`]),
  ].join(' ');

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

function durationInWords(ms: number): string {
  const [unit, size] = UNITS.find(([, one]) => ms % one === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}

function whenInWords(when: RehearsedCondition): string {
  const { holds, problem } = when;
  const verdict = problem ?? (holds === null ? '' : holds ? 'which holds' : 'which does not hold');
  return [conditionInWords(when), verdict].filter((part) => part !== '').join(', ');
}

function inWords({ min, max }: Calls): string {
  if (max === null) return `${min === 0 ? 'any number of' : `at least ${min}`} calls`;
  return min === max ? counted(min, 'call') : `${min} to ${counted(max, 'call')}`;
}

function remarks(steps: readonly RehearsedStep[], jobs: number, { min, max }: Calls): string[] {
  const isLater = ({ later }: { readonly later: readonly string[] }): boolean => later.length > 0;
  const hasLater = steps.some((step) => isLater(step) || (step.kind === 'goal' && step.agents.some(isLater)));
  const open = min === max ? '' : 'Fewest calls: nothing fails, no open WHEN holds, lists are empty.';
  return [
    hasLater ? 'What stands as $name is known when the workflow runs.' : '',
    jobs > 1 ? 'A step begins when what it needs has ended; those of a stage may overlap.' : '',
    open,
    open && 'Most calls: every RETRY is used, and each result is corrected once.',
  ].filter((remark) => remark !== '');
}

// ── rows of the terminal ────────────────────────────────────────────────────────────────────────────────────────────

/** Wraps a text, with one lead before its first row and another before the rest. */
const rows = (text: string, lead: string, rest = ' '.repeat(lead.length)): string[] =>
  led(wrap(shown(text).replaceAll('\n', ' '), COLUMNS - rest.length), lead, rest);

/** Returns the first rows of a text, or all of them, each with the lead. */
function quote(text: string, lead: string, isFull: boolean): string[] {
  const found: string[] = [];
  for (const line of shown(text).split('\n')) {
    for (const row of wrap(line, COLUMNS - lead.length)) found.push(row);
    if (isFull || found.length <= ROWS) continue;
    found.length = ROWS;
    found.push(`… (${counted(Array.from(text).length, 'character')})`);
    break;
  }
  return led(found, lead, lead);
}

const shown = (text: string): string => displayText(text).replaceAll('\t', '  ');

const led = (found: readonly string[], first: string, rest: string): string[] =>
  found.map((row, index) => `${index === 0 ? first : rest}${row}`.trimEnd());
