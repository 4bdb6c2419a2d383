/** Returns the validator's verdict on a message, by validating it again; for a rejection, the recorded verdict. */
import { type Event, type OutputOf, type Session, validateMessage } from '../../protocol/index.js';

type Verdict = OutputOf<'event.explain'>['verdict'];

export function verdictOf(event: Event, session: Session | null): Verdict {
  const key = session?.key_required ? 'required' : 'not required';
  if (event.event_type === 'message' || event.event_type === 'message_corrected') {
    const { type } = event.message;
    const errors = validateMessage(type, event.message);
    return { accepted: errors.length === 0, reason: null, schema: schemaOf(type), key, errors: [...errors] };
  }
  if (event.event_type !== 'message_rejected') return null;
  const { reason, errors, raw } = event;
  const type = reason === 'schema' ? /"type"\s*:\s*"([A-Z_]+)"/.exec(raw)?.[1] : undefined;
  return { accepted: false, reason, schema: type === undefined ? null : schemaOf(type), key, errors: [...errors] };
}

const schemaOf = (type: string): string => `protocol/messages/${type.toLowerCase().replaceAll('_', '-')}.schema.json`;
