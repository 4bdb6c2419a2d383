/**
 * The hearing of a session whose program may be started again: one program's hearing after the other's.
 *
 * What goes on from one to the next is what messages are told apart by: the turn, and the ids that were said. Everything else (the
 * screen, the transcript, the key, what was typed) is one program's. A resumed agent paints its old conversation first: until the next
 * Enter that is history, as for any agent that is started with the arguments that bring one back.
 */
import type { Finding } from '../ears/index.js';
import type { JournalRecord } from '../host/contract.js';
import { type Adapter, adapterNamed, GENERIC } from './adapters/index.js';
import { type Hearing, ProgramHearing } from './hearing.js';

/** @param checkpoint  What `state()` gave after the record before the next one. */
export function createHearing(options: { checkpoint?: unknown; adapter?: string } = {}): Hearing {
  const { checkpoint, adapter } = options;
  const known = adapter === undefined ? GENERIC : (adapterNamed(adapter) ?? GENERIC);
  let program = new ProgramHearing(checkpoint, known);
  let isFirst = checkpoint === undefined;

  return {
    push(record) {
      const isAnother = record.kind === 'start' && !isFirst;
      isFirst = false;
      return isAnother ? startAgain(record, known) : program.push(record);
    },
    state: () => program.state(),
    rebase: () => program.rebase(),
    isAtRest: () => program.isAtRest(),
    wantsTick: () => program.wantsTick(),
    signal: () => program.signal(),
    transcriptPlaces: () => program.transcriptPlaces(),
    agentSessionId: () => program.agentSessionId(),
  };

  function startAgain(record: JournalRecord, adapter: Adapter): readonly Finding[] {
    const { findings, legacy } = program.endBy(record);
    program = new ProgramHearing(undefined, adapter, legacy);
    return [...findings, ...program.push(record)];
  }
}
