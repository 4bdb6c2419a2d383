/**
 * Formats a message, or the inbox item that it opened, for people. Used by the CLI and the TUI.
 *
 * In:   a type and its data, as an agent sent them.
 * Out:  the subject, and a section for every other part of the message, in reading order. `messageLine` returns the
 *       same on one line, for feeds and event lists.
 * Unknown fields get a section under their own name, so that nothing is hidden. The text is untrusted: control and bidi
 * characters are removed. Pure.
 */

import type { Item, Message } from '../generated/types.js';
import {
  type Field,
  ITEM_BADGES,
  MESSAGES,
  type MessageKind,
  type MessageLine,
  markdown,
  type WordsKind,
} from '../messages/index.js';
import { displayLine, displayText } from '../text/index.js';
import { envelopeSections } from './envelope-words.js';
import { valueText } from './value-text.js';

/** The common fields of a message and an item. */
export interface Said {
  readonly type: Message['type'] | Item['type'];
  readonly data: Readonly<Record<string, unknown>>;
  /** The markdown of an OUTPUT. */
  readonly human?: string | undefined;
  /** Fields beside `data` that the schema does not know. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
  /** False if a part of it is a guess. */
  readonly exact?: boolean | undefined;
}

/** Tells a person that the text of a message is not certain. */
export const INEXACT_WORDS = 'Read off the screen: blanks and some characters may differ from what the agent wrote.';
/** A short form for a narrow row. */
export const INEXACT_MARK = '(not exact)';

export interface Section {
  /** Null if the text needs no title. */
  readonly title: string | null;
  readonly text: string;
  readonly isMarkdown: boolean;
}

interface MessageWords {
  /** The question, the reason, or the summary. It may have several lines. */
  readonly subject: string;
  readonly sections: readonly Section[];
}

/** A dialog of a program. */
const ATTENTION: WordsKind = { subject: 'text', fields: [markdown('context')], elsewhere: ['options', 'source'] };

const wordsOf = (type: Said['type']): WordsKind =>
  type === 'attention' ? ATTENTION : (MESSAGES[type] as MessageKind).words;

/** Returns the subject as the agent wrote it, for programs. See `messageWords` for people. */
export function subjectOf({ type, data }: Said): string {
  const value = data[wordsOf(type).subject];
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

const KNOWN_BESIDE_DATA: ReadonlySet<string> = new Set(['type', 'data', 'id', 'human', 'key', 'exact']);

/** Returns the unknown fields of a message beside `data`; {} if there are none. */
export function extraOf(message: Message): { readonly extra?: Record<string, unknown> } {
  const fields = Object.entries(message).filter(([name]) => !KNOWN_BESIDE_DATA.has(name));
  return fields.length === 0 ? {} : { extra: Object.fromEntries(fields) };
}

/** Returns the subject and the sections of a message. */
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
  const { subject: about, fields, elsewhere = [] } = wordsOf(type);
  const known = new Set([about, ...elsewhere, ...fields.map(({ name }) => name)]);
  const extras = Object.keys(data).filter((name) => !known.has(name));
  return { subject, sections: [...fields, ...extras.map(extraField)].flatMap((field) => sectionOf(data, field)) };
}

const extraField = (name: string): Field => ({ name, title: displayLine(name) });

function sectionOf(data: Said['data'], { name, title, isMarkdown }: Field): Section[] {
  const value = data[name];
  const text = name === 'progress' && typeof value === 'number' ? `${value} %` : valueText(value);
  return text.trim() === '' ? [] : [{ title, text, isMarkdown: isMarkdown === true && typeof value === 'string' }];
}

/** Formats the message on one line. Fields with several values, such as files, are counted. */
export function messageLine(said: Said): MessageLine {
  const { type, data } = said;
  const about = displayLine(subjectOf(said));
  const { line } = wordsOf(type);
  if (line) return line(data, about);
  const { word, style } = ITEM_BADGES[type as Item['type']]; // every other message opens an item
  return { label: word, text: about, style };
}

/** Returns the words above the text of a message. */
export function messageHeading(said: Said): string {
  const { label } = messageLine(said);
  return wordsOf(said.type).heading?.(label) ?? label;
}
