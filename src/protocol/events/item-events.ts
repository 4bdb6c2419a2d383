/** Events of messages, inbox items and answers. */

import { ITEM_BADGES } from '../messages/index.js';
import { displayLine } from '../text/index.js';
import { seenWords } from '../words/delivery-words.js';
import { INEXACT_MARK, messageLine, type Said } from '../words/message-words.js';
import { typedOfAnswer } from '../words/typed-of-answer.js';
import type { EventKinds, EventWords } from './event-kind.js';

export const ITEM_EVENTS = {
  message: {
    lists: ['sessions'],
    line: (event) => `${saidWords(event.message)}${event.exact === false ? ` ${INEXACT_MARK}` : ''}`,
    // A message that opens an item has no line of its own, because the item has one.
    feed: ({ message }) => (message.type in ITEM_BADGES ? null : lineWords(message)),
  },
  message_rejected: {
    lists: ['sessions'],
    line: (event) => `${event.reason}: ${event.errors.map(({ path, message }) => `${path} ${message}`).join('; ')}`,
    feed: ({ reason, errors }) => ({
      text: `not a message (${reason}): ${errors.map(({ path, message }) => `${path} ${message}`).join('; ')}`,
      style: 'red',
    }),
  },
  message_corrected: {
    lists: ['sessions'],
    line: (event) => `${event.message_id} ${saidWords(event.message)}`,
    feed: ({ message }) => ({ text: `exactly: ${messageLine(message).text}`, style: 'dim' }),
  },
  message_hint: {
    lists: ['sessions'],
    line: (event) => `${event.seen} — ${event.message}`,
    feed: ({ seen, message }) => ({ text: `not a message: ${seen} (${message})`, style: 'yellow' }),
  },
  item_opened: {
    lists: ['inbox', 'sessions'],
    line: (event) => `${event.item_id} ${saidWords(event)}`,
    feed: lineWords,
    why: ({ workflow_id, task_id }) =>
      workflow_id !== undefined
        ? [`Workflow run ${workflow_id} has come to an ASK.`]
        : task_id !== undefined
          ? [`Its agent planned task ${task_id}, and called planner-output with questions; this is one of them.`]
          : [],
  },
  item_changed: {
    lists: ['inbox', 'sessions'],
    line: (event) => `${event.item_id} ${firstText(event.data)}`,
    feed: () => null,
  },
  item_notified: {
    lists: [],
    line: (event) => `${event.item_id} ${event.title}: ${event.text}`,
    feed: () => null,
    why: () => ['No person had seen the item, so a notification was sent.'],
  },
  item_answered: {
    lists: ['inbox', 'sessions'],
    line: ({ item_id, answer }) => {
      const typed = typedOfAnswer(answer);
      return `${item_id} by ${answer.by}: ${answer.text}${typed === null ? '' : ` (typed: ${typed})`}`;
    },
    feed: ({ answer }) => ({
      text:
        answer.by === 'terminal'
          ? 'answered in its own terminal'
          : answer.declined
            ? `declined by ${answer.by}`
            : `answered by ${answer.by}: “${answer.text}”`,
      style: 'green',
    }),
    why: ({ answer }) => [
      answer.by === 'deadline' ? 'The question’s own default, at its deadline.' : `Answered by ${answer.by}.`,
    ],
  },
  item_withdrawn: {
    lists: ['inbox', 'sessions'],
    line: (event) => `${event.item_id} ${event.reason}`,
    feed: () => ({ text: 'item withdrawn', style: 'dim' }),
    why: ({ reason }) => [`It needs no answer any more: ${reason}.`],
  },
  item_reopened: {
    lists: ['inbox', 'sessions'],
    line: (event) => `${event.item_id} ${event.reason}${event.by === undefined ? '' : ` by ${event.by}`}`,
    feed: ({ reason }) => ({
      text: reason === 'taken_back' ? 'answer taken back' : 'item open again',
      style: 'yellow',
    }),
    why: ({ reason, by }) => [
      reason === 'taken_back'
        ? `${by ?? 'A client'} took the answer back before it was typed.`
        : 'Its session came back from the trash.',
    ],
  },
  answer_accepted: {
    lists: ['inbox'],
    line: (event) => event.item_id,
    feed: () => null,
    why: () => ['The answer was stored on disk first, and then given to the host.'],
  },
  answer_written: {
    lists: ['inbox'],
    line: (event) => event.item_id,
    feed: () => ({ text: 'answer written', style: 'dim' }),
  },
  answer_acknowledged: {
    lists: ['inbox'],
    line: (event) => `${event.item_id}: ${event.evidence}`,
    feed: () => ({ text: 'answer acknowledged', style: 'dim' }),
  },
  answer_stalled: {
    lists: ['inbox'],
    line: (event) =>
      `${event.item_id}: ${event.reason}${event.seen === undefined ? '' : `, ${seenWords(event.reason, displayLine(event.seen))}`}`,
    feed: ({ reason }) => ({ text: `answer stalled: ${reason.replaceAll('_', ' ')}`, style: 'red' }),
    why: ({ reason }) => {
      if (reason === 'not_submitted')
        return ['It was typed with Enter, and the screen still showed it in the input line.'];
      if (reason === 'text_changed') return ['Its transcript has another text than the one that was typed.'];
      if (reason === 'left_line') return ['Its text left the input line. The program has not shown that it took it.'];
      return [`It could not be typed (yet): ${reason}.`];
    },
  },
} satisfies Partial<EventKinds>;

/** Formats a message for one line, such as `ERROR warning: Test file not found (src/a.test.ts, recoverable)`. */
function saidWords(said: Said): string {
  const { label, text } = messageLine(said);
  const isClearFromType = said.type !== 'ERROR' && said.type !== 'OUTPUT';
  return `${said.type} ${isClearFromType ? text : `${label}: ${text}`}`;
}

/** Returns the first text of an item's data. `item_changed` does not contain the type, which names the main field. */
function firstText(data: Record<string, unknown>): string {
  return String(Object.values(data).find((value) => typeof value === 'string') ?? JSON.stringify(data));
}

/** Returns, for example, `warning: Test file not found (src/a.test.ts, recoverable)`. */
function lineWords(said: Said): EventWords {
  const { label, text, style } = messageLine(said);
  const head = said.type === 'OUTPUT' ? `output (${label})` : label;
  return { text: head === '' ? text : `${head}: ${text}`, ...(style && { style }) };
}
