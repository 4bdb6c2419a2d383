/**
 * Makes readers skip a slice of a journal in which starts of the daemon have ended several times. A note in the journal
 * names the slice before any reader skips it, so that reading the journal again gives the same events. The host appends
 * the note. If the host no longer has the session, no process appends to its journal, and the daemon adds a segment
 * with the note.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  addPassedOver,
  type HostClient,
  type HostSession,
  JournalWriter,
  PASSED_OVER_NOTE,
  readPassedOver,
} from '../../host/index.js';
import type { Paths } from '../../protocol/index.js';
import type { Log } from '../log.js';
import type { DueSlice, HearingGuard, Range } from './hearing-guard.js';

interface PassOverPorts {
  readonly paths: Pick<Paths, 'journalsDir'>;
  readonly host: () => Pick<HostClient, 'call'>;
  readonly guard: Pick<HearingGuard, 'due' | 'passedOver'>;
  readonly log: Log;
}

/** Number of bytes that are skipped in addition if skipping the slice alone did not help. */
const MORE_BYTES = 256 * 1024;

/**
 * Skips every slice that crashed earlier daemons. A slice for which skipping fails, for example on a full disk, is read
 * as usual.
 * @param hosted The sessions that the host has.
 * @param onPassedOver  Called with each range that is skipped from now on.
 */
export async function passOverDue(
  ports: PassOverPorts,
  hosted: readonly HostSession[],
  onPassedOver: (sessionId: string, range: Range) => void,
): Promise<void> {
  const { guard, log } = ports;
  for (const due of guard.due) {
    const { sessionId } = due;
    try {
      const range = await passOver(ports, due, hosted.find((one) => one.sessionId === sessionId)?.position ?? null);
      guard.passedOver(sessionId);
      if (!range) continue;
      log.error('a part of a journal is passed over from now on', undefined, { session_id: sessionId, ...range });
      onPassedOver(sessionId, range);
    } catch (error) {
      log.error('a part of a journal could not be passed over', error, { session_id: sessionId });
    }
  }
}

/**
 * @param hostedTo  End of the journal as the host reports it; null if the host does not have the session.
 * @returns  The skipped range; null if the journal does not exist any more.
 */
async function passOver(ports: PassOverPorts, due: DueSlice, hostedTo: number | null): Promise<Range | null> {
  const { sessionId } = due;
  const directory = join(ports.paths.journalsDir, sessionId);
  if (!existsSync(directory)) return null;
  const { from, to } = widened(directory, due);
  const data = { from, to, reason: 'starts of the daemon ended while they heard it' };
  if (hostedTo !== null) await ports.host().call('note', { sessionId, name: PASSED_OVER_NOTE, data });
  addPassedOver(directory, { from, to, note: hostedTo ?? appendNote(directory, data) });
  return { from, to };
}

/** @returns  The position of the note. */
function appendNote(directory: string, data: object): number {
  const writer = new JournalWriter({ directory, goesOn: true });
  const { position } = writer.append({ kind: 'note', name: PASSED_OVER_NOTE, data });
  if (writer.isStuck) {
    writer.discard();
    throw new Error(`the note could not be written to ${directory}`);
  }
  writer.close();
  return position;
}

/**
 * Returns the slice to skip. If it was skipped before and daemons still crashed there, the result also covers bytes
 * before the slice.
 */
function widened(directory: string, { from, to }: DueSlice): Range {
  const before = readPassedOver(directory).filter((known) => known.from <= from && known.to >= to);
  const first = Math.min(from, ...before.map((known) => known.from));
  return before.length === 0 ? { from, to } : { from: Math.max(0, first - MORE_BYTES), to };
}
