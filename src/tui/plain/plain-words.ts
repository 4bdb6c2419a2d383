/** The texts of the plain mode, line by line, without positions or colours. Pure. */
import {
  type Event,
  eventWords,
  ITEM_BADGES,
  type Session,
  stepsOfSession,
  stepsWords,
  takesText,
} from '../../protocol/index.js';
import type { ItemEntry } from '../model/items/item-entry.js';
import {
  closedWords,
  deadlineOf,
  defaultOf,
  optionsOf,
  outcomeOf,
  sectionsOf,
  subjectOf,
} from '../model/items/item-words.js';
import { isAlive, type Model, openItems } from '../model/model.js';
import { clock } from '../paint/ages.js';
import { plainLine } from '../paint/text.js';

/** Returns, for example, `3: question from auth: Which one?`. */
export function itemLine(number: number, { item }: ItemEntry): string {
  const { word } = ITEM_BADGES[item.type];
  return `${number}: ${word} from ${plainLine(item.session_name)}: ${plainLine(subjectOf(item))}`;
}

/** Returns the complete item with the possible answers. */
export function itemLines(number: number, entry: ItemEntry): string[] {
  const { item } = entry;
  const deadline = deadlineOf(item);
  const fallback = defaultOf(item);
  const options = optionsOf(item);
  const { word } = ITEM_BADGES[item.type];
  return [
    `Item ${number}, ${word} from ` +
      `${item.workflow_id === undefined ? '' : 'the workflow '}${plainLine(item.session_name)}, asked at ` +
      `${clock(item.opened_at)}.`,
    ...subjectOf(item).split('\n'),
    ...sectionsOf(item).flatMap(({ title, text }) => [...(title === null ? [] : [`${title}:`]), ...text.split('\n')]),
    ...options.map(({ label }, i) => `Option ${i + 1}: ${label}`),
    ...(deadline
      ? [`At ${clock(new Date(deadline.at).toISOString())} “${deadline.text}” becomes the answer.`]
      : fallback === null
        ? []
        : [`The agent suggests “${fallback}”.`]),
    item.state === 'open'
      ? `To answer: ${answerHint(number, entry, options.length)}.`
      : `Closed: ${closedWords(entry)}.`,
  ];
}

function answerHint(number: number, { item }: ItemEntry, options: number): string {
  const byOption = options > 0 ? `answer ${number} 1${options > 1 ? ` to answer ${number} ${options}` : ''}` : '';
  const byText = takesText(item) ? `answer ${number} and your text` : `attach ${plainLine(item.session_name)}`;
  return [byOption, byText, `decline ${number}`].filter(Boolean).join(', or ');
}

export function sessionLine(session: Session, open: number): string {
  const { name, state, mode, progress, current_step, ended_at } = session;
  const batch = mode === 'batch' ? ['batch'] : [];
  const percent = progress === null ? [] : [`${Math.round(progress)} percent`];
  const step = current_step === null || ended_at !== null ? [] : [plainLine(current_step)];
  const count = ended_at === null ? stepsWords(stepsOfSession(session)) : '';
  const waiting = open === 0 ? [] : [`${open} open`];
  return `${plainLine(name)}: ${[state, ...batch, ...percent, ...step, ...(count === '' ? [] : [count]), ...waiting].join(', ')}`;
}

export function statusLine(model: Model): string {
  const living = model.sessions.filter(isAlive).length;
  const open = openItems(model).length;
  return `${living} session${living === 1 ? '' : 's'}, ${open === 0 ? 'nothing waits for you' : `${open} open`}.`;
}

export const closedLine = (number: number, entry: ItemEntry): string =>
  `Item ${number} from ${plainLine(entry.item.session_name)}: ${outcomeOf(entry)}.`;

/** Returns null if another line already contains the news. */
export function eventLine(event: Event, model: Model): string | null {
  const words = eventWords(event);
  if (!words) return null;
  const id = event.session_id ?? event.workflow_id;
  const about = [...model.sessions, ...model.workflows].find((one) => one.id === id);
  return `${clock(event.timestamp)} ${about ? plainLine(about.name) : 'orchd'}: ${words.text}`;
}
