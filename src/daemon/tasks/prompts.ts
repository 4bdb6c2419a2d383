/** The prompts of a task: for the planner, and for the agent that executes the plan. Pure. */
import type { Blueprint, CompletionReport, Task } from '../../protocol/index.js';

/** @param agents  The agents that may be assigned. */
export function plannerPrompt(task: Task, agents: readonly Pick<Blueprint, 'name' | 'description'>[]): string {
  const listed = agents.map(({ name, description }) => `- ${name}${description && `: ${description}`}`);
  return sections([
    ['Task', task.prompt],
    ['Agents that it may be assigned to', listed.join('\n')],
    ['Answers to your questions', answersOf(task)],
    ['Your plan so far', task.plan === null ? '' : JSON.stringify(task.plan, null, 2)],
  ]);
}

/** @param reported  The report of the previous execution; null for none. */
export function executionPrompt(task: Task, reported: CompletionReport | null): string {
  const { plan } = task;
  return sections([
    ['Task', task.prompt],
    ['Plan', plan?.summary ?? ''],
    ['Requirements', bullets(plan?.requirements)],
    ['Steps', (plan?.plan ?? []).map((step, at) => `${at + 1}. ${step}`).join('\n')],
    ['Acceptance criteria', bullets(plan?.acceptanceCriteria)],
    ['What was asked before, and answered', answersOf(task)],
    ['What was reported before', reported?.summary ?? ''],
  ]);
}

const bullets = (lines: readonly string[] = []): string => lines.map((line) => `- ${line}`).join('\n');

const answersOf = ({ questions }: Task): string =>
  questions
    .filter(({ answer, declined }) => answer !== null || declined)
    .map(({ question, answer }) => `- ${question}\n  ${answer ?? 'declined: decide this yourself'}`)
    .join('\n');

/** Joins the sections that are not empty. */
const sections = (parts: readonly (readonly [title: string, text: string])[]): string =>
  parts.flatMap(([title, text]) => (text === '' ? [] : [`## ${title}\n\n${text}`])).join('\n\n');
