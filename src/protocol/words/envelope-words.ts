/** Formats both parts of an output envelope: the JSON part as sections, then its markdown. Pure. */
import { displayLine, displayText } from '../text/index.js';
import type { Section } from './message-words.js';
import { valueText } from './value-text.js';

type Json = Readonly<Record<string, unknown>>;

/** Fields in the order in which they are shown. All others follow under their own names. */
const TITLES: readonly (readonly [name: string, title: string])[] = [
  ['status', 'Status'],
  ['completion_percentage', 'Complete'],
  ['error', 'Error'],
  ['issues', 'Issues'],
  ['deliverables', 'Deliverables'],
  ['next_steps', 'Next steps'],
  ['subtasks', 'Subtasks'],
  ['metadata', 'Metadata'],
];

/** Returns everything except the summary. */
export function envelopeSections(data: Json, human: string): Section[] {
  const known = new Set(['summary', ...TITLES.map(([name]) => name)]);
  const extras = Object.keys(data).filter((name) => !known.has(name));
  const parts = [...TITLES, ...extras.map((name) => [name, displayLine(name)] as const)];
  return [
    ...parts.flatMap(([name, title]): Section[] => {
      const text = partText(name, data[name]);
      return text.trim() === '' ? [] : [{ title, text, isMarkdown: false }];
    }),
    ...(human.trim() === '' ? [] : [{ title: null, text: displayText(human).trim(), isMarkdown: true }]),
  ];
}

function partText(name: string, value: unknown): string {
  if (name === 'completion_percentage' && typeof value === 'number') return `${value} %`;
  if (name === 'error' && isJson(value)) return errorText(value);
  if (name === 'issues' && Array.isArray(value)) return value.map(issueText).join('\n');
  if (name === 'subtasks' && Array.isArray(value)) return value.map(subtaskText).join('\n');
  return valueText(value);
}

/** Returns `DependencyError: Package 'bcrypt' not found`, then the resolution. */
function errorText({ type, message, resolution, ...rest }: Json): string {
  const help = valueText(resolution);
  return joined([told(lineOf(type), message), help === '' ? '' : told('Resolution', help), valueText(rest)], '\n');
}

/** Returns, for example, `- incomplete (medium, blocking): the user has no email`. */
function issueText(issue: unknown): string {
  if (!isJson(issue)) return valueText(issue);
  const { type, description, impact, blocking, ...rest } = issue;
  const how = joined([lineOf(impact), blocking === true ? 'blocking' : blocking === false ? 'not blocking' : ''], ', ');
  return entryText(how === '' ? lineOf(type) : `${lineOf(type)} (${how})`, description, rest);
}

/** Returns, for example, `- sub-1, architect, success: API design document`. */
function subtaskText(subtask: unknown): string {
  if (!isJson(subtask)) return valueText(subtask);
  const { id, agent, status, output, ...rest } = subtask;
  return entryText(joined([id, agent, status].map(lineOf), ', '), output, rest);
}

const entryText = (head: string, value: unknown, rest: Json): string =>
  joined([`- ${told(head, value)}`, indented(valueText(rest))], '\n');

/** Returns the value beside its head, or below it if the value has several lines. */
function told(head: string, value: unknown): string {
  const text = valueText(value);
  if (head === '' || text === '') return head + text.replaceAll(/\n(?=.)/g, '\n  ');
  return text.includes('\n') ? `${head}:\n${indented(text)}` : `${head}: ${text}`;
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const lineOf = (value: unknown): string => displayLine(valueText(value));
const joined = (parts: readonly string[], between: string): string => parts.filter(Boolean).join(between);
const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');
