/**
 * Formats a message, or the inbox item that it opened, for people. Used by the CLI and the TUI.
 *
 * In:   a type and its data, as an agent sent them.
 * Out:  the subject, and a section for every other part of the message, in reading order. `messageLine` returns the
 *       same on one line, for feeds and event lists.
 * Unknown fields get a section under their own name, so that nothing is hidden. The text is untrusted: control and bidi
 * characters are removed. Pure.
 */
import { displayLine, displayText } from '../display.js';
import type { Item, Message } from '../generated/types.js';
import { ITEM_LOOKS, type Style } from '../looks.js';
import { envelopeSections } from './envelope-words.js';
import { stepsWords } from './steps-words.js';
import { valueText } from './value-text.js';

/** The common fields of a message and an item. */
export interface Said {
  readonly type: Message['type'] | Item['type'];
  readonly data: Readonly<Record<string, unknown>>;
  /** The markdown of an OUTPUT. */
  readonly human?: string | undefined;
  /** Unknown fields beside `data`. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
  /** False if a part of it is a guess. */
  readonly exact?: boolean | undefined;
}

/** Tells a person that the text of a message is not certain. */
export const INEXACT_WORDS = 'Read off the screen: blanks and some characters may differ from what the agent wrote.';
/** The same for a row without enough room. */
export const INEXACT_MARK = '(not exact)';

export interface Section {
  /** Null if the text needs no title. */
  readonly title: string | null;
  readonly text: string;
  readonly isMarkdown: boolean;
}

export interface MessageWords {
  /** The question, the reason, or the summary. It may have several lines. */
  readonly subject: string;
  readonly sections: readonly Section[];
}

interface Field {
  readonly name: string;
  readonly title: string | null;
  readonly isMarkdown?: true;
}

interface Shape {
  /** The field that contains the subject. */
  readonly subject: string;
  readonly fields: readonly Field[];
  /** Fields that every view shows elsewhere. */
  readonly elsewhere?: readonly string[];
}

const markdown = (name: string, title: string | null = null): Field => ({ name, title, isMarkdown: true });

const SHAPES: Readonly<Record<Said['type'], Shape>> = {
  QUESTION: {
    subject: 'question',
    fields: [markdown('context')],
    elsewhere: ['options', 'default', 'deadlineSeconds'],
  },
  BLOCKED: { subject: 'reason', fields: [markdown('details'), markdown('suggestedAction', 'Suggested')] },
  REQUEST_REVIEW: { subject: 'description', fields: [{ name: 'files', title: 'Files' }, markdown('notes', 'Notes')] },
  attention: { subject: 'text', fields: [markdown('context')], elsewhere: ['options', 'source'] },
  STATUS_UPDATE: {
    subject: 'currentStep',
    fields: [
      { name: 'progress', title: 'Progress' },
      { name: 'totalSteps', title: 'Steps' },
      { name: 'completedSteps', title: 'Done' },
    ],
  },
  TASK_COMPLETE: {
    subject: 'summary',
    fields: [
      { name: 'filesChanged', title: 'Files' },
      { name: 'commitHash', title: 'Commit' },
    ],
  },
  ERROR: {
    subject: 'message',
    fields: [
      { name: 'severity', title: 'Severity' },
      { name: 'file', title: 'File' },
      { name: 'recoverable', title: 'Recoverable' },
    ],
  },
  OUTPUT: { subject: 'summary', fields: [] },
};

/** Returns the subject as the agent wrote it, for programs. See `messageWords` for people. */
export function subjectOf({ type, data }: Said): string {
  const value = data[SHAPES[type].subject];
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

const KNOWN_BESIDE_DATA: ReadonlySet<string> = new Set(['type', 'data', 'id', 'human', 'key', 'exact']);

/** Returns the unknown fields of a message beside `data`; {} if there are none. */
export function extraOf(message: Message): { readonly extra?: Record<string, unknown> } {
  const fields = Object.entries(message).filter(([name]) => !KNOWN_BESIDE_DATA.has(name));
  return fields.length === 0 ? {} : { extra: Object.fromEntries(fields) };
}

export function messageWords(said: Said): MessageWords {
  const { extra = {}, exact } = said;
  const { subject, sections } = dataWords(said);
  const beside = Object.keys(extra).flatMap((name) => sectionOf(extra, extraField(name)));
  const notes = exact === false ? [{ title: 'Wording', text: INEXACT_WORDS, isMarkdown: false }] : [];
  return { subject, sections: [...sections, ...beside, ...notes] };
}

function dataWords(said: Said): MessageWords {
  const { type, data, human } = said;
  const subject = displayText(subjectOf(said));
  if (type === 'OUTPUT') return { subject, sections: envelopeSections(data, human ?? '') };
  const { subject: about, fields, elsewhere = [] } = SHAPES[type];
  const known = new Set([about, ...elsewhere, ...fields.map(({ name }) => name)]);
  const extras = Object.keys(data).filter((name) => !known.has(name));
  return { subject, sections: [...fields, ...extras.map(extraField)].flatMap((field) => sectionOf(data, field)) };
}

const extraField = (name: string): Field => ({ name, title: displayLine(name) });

function sectionOf(data: Said['data'], { name, title, isMarkdown }: Field): Section[] {
  const value = data[name];
  const text = name === 'progress' && typeof value === 'number' ? `${value} %` : valueText(value);
  return text === '' ? [] : [{ title, text, isMarkdown: isMarkdown === true && typeof value === 'string' }];
}

export interface MessageLine {
  /** The label before the text: `complete`, the severity of an error, the status of an envelope. May be empty. */
  readonly label: string;
  readonly text: string;
  readonly style?: Style;
}

/** Formats the message on one line. Fields with several values, such as files, are counted. */
export function messageLine(said: Said): MessageLine {
  const { type, data } = said;
  const about = displayLine(subjectOf(said));
  switch (type) {
    case 'STATUS_UPDATE': {
      const percent = typeof data['progress'] === 'number' ? `${Math.round(data['progress'])}%` : '';
      return { label: '', text: withNotes([percent, about].filter(Boolean).join(' '), [stepsWords(data)]) };
    }
    case 'TASK_COMPLETE': {
      const commit = typeof data['commitHash'] === 'string' ? `commit ${displayLine(data['commitHash'])}` : '';
      const text = withNotes(about, [countWords(data['filesChanged'], 'file'), commit]);
      return { label: 'complete', text, style: 'green' };
    }
    case 'ERROR': {
      const severity = displayLine(String(data['severity'] ?? 'error'));
      const file = typeof data['file'] === 'string' ? displayLine(data['file']) : '';
      const style = severity === 'error' || severity === 'critical' ? 'red' : 'yellow';
      return { label: severity, text: withNotes(about, [file, recoverableWords(data['recoverable'])]), style };
    }
    case 'OUTPUT':
      return outputLine(data, about);
    default:
      return { label: ITEM_LOOKS[type].word, text: about, style: ITEM_LOOKS[type].style };
  }
}

/** Says if the agent continues after an error; '' if the message does not say so. */
export const recoverableWords = (recoverable: unknown): string =>
  typeof recoverable !== 'boolean' ? '' : recoverable ? 'recoverable' : 'not recoverable';

function outputLine(data: Said['data'], summary: string): MessageLine {
  const status = displayLine(String(data['status'] ?? ''));
  const error = data['error'];
  const message = typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : '';
  const why = status === 'failed' ? displayLine(message) : '';
  const notes = [
    countWords(data['deliverables'], 'deliverable'),
    countWords(data['issues'], 'issue'),
    countWords(data['next_steps'], 'next step'),
  ];
  const text = withNotes([summary, why].filter(Boolean).join(': '), notes);
  return { label: status, text, style: status === 'failed' ? 'red' : status === 'partial' ? 'yellow' : 'green' };
}

const countWords = (list: unknown, noun: string): string =>
  Array.isArray(list) && list.length > 0 ? `${list.length} ${noun}${list.length === 1 ? '' : 's'}` : '';

function withNotes(text: string, notes: readonly string[]): string {
  const told = notes.filter(Boolean).join(', ');
  return told === '' ? text : text === '' ? told : `${text} (${told})`;
}
