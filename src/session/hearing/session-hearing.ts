/**
 * The hearing of a session whose program may be started again: one program's hearing after the other's.
 *
 * The turn and the ids of messages continue from one program to the next, because they identify messages. Everything
 * else (the screen, the transcript, the key, typed text) belongs to one program. A resumed agent paints its old
 * conversation first. Until the next Enter that is history, as for any agent that is started with arguments that bring
 * one back.
 */
import type { Finding } from '../../ears/index.js';
import type { JournalRecord, SnapshotRecord } from '../../host/contract.js';
import { adapterNamed, GENERIC } from '../adapters/index.js';
import { type Hearing, ProgramHearing, type ProgramOptions } from './hearing.js';

interface HearingOptions extends Pick<ProgramOptions, 'checkpoint' | 'onUtterance'> {
  /** The adapter's name, if it is known before the journal contains it. */
  readonly adapter?: string;
}

/**
 * Creates the hearing of a session.
 *
 * @param checkpoint  The result of an earlier `checkpoint()`. Without it, the hearing starts at the beginning
 *   of the journal.
 */
export function createHearing({ checkpoint, adapter, onUtterance }: HearingOptions = {}): Hearing {
  const known = adapter === undefined ? GENERIC : (adapterNamed(adapter) ?? GENERIC);
  let program = new ProgramHearing(known, { checkpoint, onUtterance });
  let isFirst = checkpoint === undefined;

  function startAgain(record: JournalRecord): readonly Finding[] {
    const { findings, carriedOver } = program.endBy(record);
    program = new ProgramHearing(known, { carriedOver, onUtterance });
    return [...findings, ...program.push(record)];
  }

  /** Continues from the checkpoint in a snapshot record: everything before it was removed from the journal. */
  function goOnFrom({ version, hearing }: SnapshotRecord): void {
    try {
      if (version === 1) program = new ProgramHearing(known, { checkpoint: hearing, onUtterance });
    } catch {
      // The snapshot was written by another version of orchd: the ears start with an empty state.
    }
  }

  return {
    push(record) {
      if (record.kind === 'snapshot') {
        goOnFrom(record);
        isFirst = false;
        return [];
      }
      const isAnother = record.kind === 'start' && !isFirst;
      isFirst = false;
      return isAnother ? startAgain(record) : program.push(record);
    },
    state: () => program.state(),
    rebase: () => program.rebase(),
    isAtRest: () => program.isAtRest(),
    wantsTick: () => program.wantsTick(),
    signal: () => program.signal(),
    painter: () => program.painter(),
    view: () => program.view(),
    unsubmitted: () => program.unsubmitted(),
    hasBegun: (writeId) => program.hasBegun(writeId),
    transcriptPlaces: () => program.transcriptPlaces(),
    agentSessionId: () => program.agentSessionId(),
    isTranscriptLost: () => program.isTranscriptLost(),
    lacks: (prompt) => program.lacks(prompt),
  };
}
