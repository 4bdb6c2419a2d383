/**
 * The hearing of a session whose program may be started again: one program's hearing after the other's.
 *
 * What goes on from one to the next is what messages are told apart by: the turn, and the ids that were said. Everything else (the
 * screen, the transcript, the key, what was typed) is one program's. A resumed agent paints its old conversation first: until the next
 * Enter that is history, as for any agent that is started with the arguments that bring one back.
 */
import type { Finding } from '../ears/index.js';
import type { JournalRecord, SnapshotRecord } from '../host/contract.js';
import { adapterNamed, GENERIC } from './adapters/index.js';
import { type Hearing, ProgramHearing, type ProgramOptions } from './hearing.js';

interface HearingOptions extends Pick<ProgramOptions, 'checkpoint' | 'tap'> {
  /** The adapter's name, where it is known before the journal says it. */
  readonly adapter?: string;
}

export function createHearing({ checkpoint, adapter, tap }: HearingOptions = {}): Hearing {
  const known = adapter === undefined ? GENERIC : (adapterNamed(adapter) ?? GENERIC);
  let program = new ProgramHearing(known, { checkpoint, tap });
  let isFirst = checkpoint === undefined;

  function startAgain(record: JournalRecord): readonly Finding[] {
    const { findings, legacy } = program.endBy(record);
    program = new ProgramHearing(known, { legacy, tap });
    return [...findings, ...program.push(record)];
  }

  /** What stood before was dropped from the journal: goes on from what was heard of it. */
  function goOnFrom({ version, hearing }: SnapshotRecord): void {
    try {
      if (version === 1) program = new ProgramHearing(known, { checkpoint: hearing, tap });
    } catch {
      // Of another version of orchd: the ears begin here.
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
    unsubmitted: () => program.unsubmitted(),
    transcriptPlaces: () => program.transcriptPlaces(),
    agentSessionId: () => program.agentSessionId(),
    isTranscriptLost: () => program.isTranscriptLost(),
    lacks: (prompt) => program.lacks(prompt),
  };
}
