/** Describes how an answer was delivered, from the records of its write in the journal. */
import { type InputRecord, openJournal, readInPieces } from '../../host/index.js';
import { timestamp } from '../../lifecycle/index.js';
import type { Item, OutputOf } from '../../protocol/index.js';
import { escaped } from './escaped.js';

type Delivery = NonNullable<OutputOf<'event.explain'>['delivery']>;

const PIECE_BYTES = 4 * 1024 * 1024;
const MAX_TYPED_CHARS = 8_192;

/** @param from  Position at which the item's text begins in the journal. The answer was typed later. */
export async function deliveryOf(
  journals: string,
  item: Item,
  writeId: string,
  from: number,
  signal: AbortSignal,
): Promise<Delivery> {
  const found = await findWrite(journals, item.session_id, writeId, from, signal);
  const place = (record: InputRecord | undefined) =>
    record ? { position: record.position, time: timestamp(record.time) } : null;
  const begin = found.get('begin');
  return {
    write_id: writeId,
    state: item.answer?.delivery ?? null,
    text:
      begin?.text === undefined || begin.text === null
        ? null
        : escaped(Buffer.from(begin.text.slice(0, MAX_TYPED_CHARS))),
    begun: place(begin),
    written: place(found.get('end')),
    failed: place(found.get('failed')),
    entered_again: place(found.get('enter')),
    evidence: item.answer?.evidence ?? null,
    reason: item.answer?.stalled_reason ?? null,
  };
}

async function findWrite(
  journals: string,
  sessionId: string,
  writeId: string,
  from: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, InputRecord>> {
  const found = new Map<string, InputRecord>();
  const reader = openJournal(journals, sessionId, { from });
  try {
    await readInPieces(reader, { pieceBytes: PIECE_BYTES, goesOn: () => !signal.aborted }, (record) => {
      if (record.kind === 'input' && record.writeId === writeId) found.set(record.phase, record);
      if (record.kind === 'input' && record.writeId === `${writeId}.enter` && record.phase === 'end')
        found.set('enter', record);
    });
  } finally {
    reader.close();
  }
  return found;
}
