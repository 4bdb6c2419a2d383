/**
 * Decides when an answer counts as taken by its program.
 *
 * An agent whose transcript is read records each input there, usually within a second. So its work alone is no proof:
 * for RECORD_MS orchd waits for the record. If the recorded text is a changed copy of the answer, the answer is stalled
 * (`text_changed`). If no record of it comes, the work counts.
 */
import type { PromptFinding } from '../../ears/index.js';
import { compareRecorded } from '../answers/recorded-text.js';
import type { Input, TrackedItem } from './aggregate.js';
import type { Draft } from './draft.js';
import { answerFromTerminal, confirm, fail, outlivesSession } from './items.js';

/** Time in which an agent that works records the input. */
export const RECORD_MS = 3_000;
/** Maximum length of the recorded text that an event shows, in characters. */
const MAX_SEEN_CHARS = 200;
const WENT_ON = 'the program had waited, and went on';

/**
 * Handles output after an input. If the program had waited for an answer and the input was that answer, the program has
 * accepted it. If a person typed the input into the terminal, it answered all open items.
 */
export function acknowledge(draft: Draft, turn: number, hadWaited: boolean, time: number): void {
  const mine = draft.items.find((entry) => entry.answeredTurn === turn);
  if (mine) {
    if ((hadWaited || mine.hadWaited) && !mine.isWatched) believe(draft, mine, WENT_ON, time);
    return;
  }
  // A waiting tool call does not read input, and neither does a task or a run.
  const isAnswered = ({ item, openedTurn }: TrackedItem): boolean =>
    item.state === 'open' && item.type !== 'attention' && !item.awaited && !outlivesSession(item) && openedTurn < turn;
  for (const entry of draft.items.filter(isAnswered)) answerFromTerminal(draft, entry, time);
}

/** Handles evidence of the screen that the program took an answer. */
export function takeTaken(draft: Draft, { writeId, evidence, time }: Extract<Input, { kind: 'taken' }>): void {
  for (const entry of draft.items.filter((one) => one.writeId === writeId)) believe(draft, entry, evidence, time);
}

/** Acknowledges an answer, or waits for its record in the agent's transcript first. */
function believe(draft: Draft, entry: TrackedItem, evidence: string, time: number): void {
  const { item, keys, writeId } = entry;
  if (isChanged(entry)) {
    draft.because(`the agent has another text than the answer of item ${item.id}`);
    return;
  }
  const isRecorded = draft.session.transcript === 'healthy' && keys === undefined && draft.session.ended_at === null;
  if (!isRecorded || writeId === null || item.answer?.delivery === 'acknowledged') {
    confirm(draft, entry, evidence, time);
    return;
  }
  if (entry.unrecorded) {
    draft.because(`the record of the answer of item ${item.id} is awaited already`);
    return;
  }
  draft.changeItems(
    (other) => other === entry,
    (other) => ({ ...other, unrecorded: { evidence } }),
  );
  draft.effects.push({ kind: 'settle', writeId });
}

/** Handles the end of the time in which the agent could record an answer. */
export function takeSettled(draft: Draft, { writeId, time }: Extract<Input, { kind: 'settled' }>): void {
  for (const entry of draft.items.filter((one) => one.writeId === writeId)) settle(draft, entry, time);
}

/** Acknowledges the answers that the agent has not recorded before its end. */
export function settleAll(draft: Draft, time: number): void {
  for (const entry of draft.items.filter(({ unrecorded }) => unrecorded)) settle(draft, entry, time);
}

function settle(draft: Draft, entry: TrackedItem, time: number): void {
  if (entry.unrecorded && !isChanged(entry)) confirm(draft, entry, entry.unrecorded.evidence, time);
  else draft.because(`no record of the answer of item ${entry.item.id} is awaited`);
}

/**
 * Handles an input recorded in the agent's transcript. If it equals an answer, the agent has accepted that answer.
 * Otherwise a person typed it, or it is a changed copy of the answer. A transcript that is read late may record an input
 * from before the answer, perhaps with the same words: it says nothing about the answer.
 */
export function takePrompt(draft: Draft, { text, turn, time }: PromptFinding): void {
  const isOfBefore = ({ answeredTurn }: TrackedItem): boolean =>
    turn !== undefined && answeredTurn !== null && turn < answeredTurn;
  const compared = draft.items.flatMap((entry) => {
    const { answer } = entry.item;
    const isTyped = answer !== null && entry.isWritten && !isOfBefore(entry);
    return isTyped ? [{ entry, how: compareRecorded(answer.typed ?? answer.text, text) }] : [];
  });
  const whole = compared.filter(({ how }) => how === 'whole').map(({ entry }) => entry);
  const mine = whole.find(({ item }) => item.answer?.delivery !== 'acknowledged') ?? whole[0];
  if (mine) {
    confirm(draft, mine, 'it stands in the agent’s transcript', time);
    return;
  }
  const changed = compared.find(({ how, entry }) => how === 'changed' && isUnproven(entry, draft.session.turn));
  if (changed) {
    const { item, writeId } = changed.entry;
    if (writeId !== null) fail(draft, item.id, writeId, 'text_changed', time, text.slice(0, MAX_SEEN_CHARS));
    return;
  }
  acknowledge(draft, turn ?? draft.session.turn, false, time);
}

/** True for a typed answer that is not acknowledged, and that the newest input may be, also if a person edited it. */
function isUnproven({ item, isWritten, keys, answeredTurn, unrecorded }: TrackedItem, turn: number): boolean {
  if (!isWritten || keys !== undefined || item.answer?.delivery === 'acknowledged') return false;
  return answeredTurn === turn || unrecorded !== undefined;
}

const isChanged = ({ item: { answer } }: TrackedItem): boolean => answer?.stalled_reason === 'text_changed';
