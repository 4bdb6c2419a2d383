/**
 * A place in the event stream of the hub, over all machines.
 *
 * As text: `INCARNATION.SEQUENCE.TIME[.TAKEN]`. The first three are numbers in base 36: when the stream was created,
 * the sequence of a message in it, and when the server stored that message, both times in milliseconds. TAKEN is the
 * number of events of that message that were read, in base 10; without it all of them were.
 *
 * A stream that was made anew has another incarnation. One that was restored from a backup has another time at the same
 * sequence, or no message there. So a cursor is never taken for a place in another history.
 */
import { OrchdError } from '../../protocol/index.js';

export interface HubCursor {
  readonly incarnation: number;
  readonly sequence: number;
  /** 0 for the place before the first message. */
  readonly time: number;
  readonly taken?: number;
}

const TEXT = /^([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})(?:\.(\d{1,9}))?$/;

export const cursorText = ({ incarnation, sequence, time, taken }: HubCursor): string =>
  [
    ...[incarnation, sequence, time].map((number) => number.toString(36)),
    ...(taken === undefined ? [] : [String(taken)]),
  ].join('.');

/** @throws {OrchdError} ORCHD_INVALID */
export function parseCursor(text: string): HubCursor {
  const found = TEXT.exec(text);
  if (!found) {
    throw new OrchdError(
      'ORCHD_INVALID',
      `'${text}' is not a cursor of a hub: take the one that an event has with --json, or 0 for the beginning`,
    );
  }
  const [incarnation = 0, sequence = 0, time = 0] = found.slice(1, 4).map((part) => Number.parseInt(part, 36));
  return { incarnation, sequence, time, ...(found[4] !== undefined && { taken: Number(found[4]) }) };
}
