/**
 * The notes `tool`: the input of a tool call, and the delivery of its answer. The daemon writes them to the journal
 * before it uses them; protocol/journal.md.
 */
import { type Call, contentKey, type JudgedMessage, type Merging } from '../../ears/index.js';
import type { NoteRecord } from '../../host/contract.js';
import { isMessageType, type Message, type MessageType, validateMessage } from '../../protocol/index.js';
import type { UtteranceObserver } from './utterance-observer.js';

export const TOOL_NOTE = 'tool';

/** The input of a tool call. */
export interface CallNote extends Call {
  readonly tool: string;
  readonly message: { readonly type: MessageType; readonly data: unknown };
}

/** `given`: the daemon is about to send the answer to the waiting caller. `taken`: the caller has received it. */
export interface GivenNote {
  readonly callId: string;
  readonly phase: 'given' | 'taken';
}

type ToolNote =
  | { readonly kind: 'call'; readonly call: Call; readonly judged: JudgedMessage }
  | { readonly kind: 'given'; readonly callId: string; readonly isTaken: boolean };

/** @param data  The content of the note. */
export function hearToolNote(
  { position: from, end: to, time }: NoteRecord,
  data: object,
  merging: Merging,
  onUtterance: UtteranceObserver | null,
): void {
  const note = readToolNote(data);
  if (note?.kind === 'given') {
    const { callId, isTaken } = note;
    merging.give({ kind: 'given', callId, isTaken, origin: { ear: 'tool', from, to } });
  } else if (note) {
    const place = { from, to, line: 1 };
    onUtterance?.({ ear: 'tool', standing: 'counts', utterance: { form: 'fence', text: note.judged.text, ...place } });
    merging.hearCall(note.call, note.judged, place, time);
  }
}

/** Returns null for data of another shape, as another version may have written it. */
function readToolNote(data: object): ToolNote | null {
  const { callId, phase, waits, message } = data as Partial<Record<keyof CallNote | keyof GivenNote, unknown>>;
  if (typeof callId !== 'string') return null;
  if (phase === 'given' || phase === 'taken') return { kind: 'given', callId, isTaken: phase === 'taken' };
  if (typeof message !== 'object' || message === null || !('type' in message)) return null;
  if (!isMessageType(message.type) || validateMessage(message.type, message).length > 0) return null;
  const valid = message as Message; // the line above validates it
  const judged = {
    kind: 'message' as const,
    source: 'tool' as const,
    message: valid,
    text: JSON.stringify(valid),
    content: contentKey(valid),
  };
  return { kind: 'call', call: { callId, waits: waits === true }, judged };
}
