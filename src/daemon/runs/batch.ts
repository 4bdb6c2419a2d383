/** What orchd knows of an agent program's batch mode. Loaded when a run needs it: a daemon without runs has no adapters in memory for it. */
import { OrchdError } from '../../protocol/index.js';
import type { BatchTraits } from '../../session/index.js';

export interface Batch {
  /** As one types it; null: the run's own arguments say it. */
  readonly program: string | null;
  readonly traits: BatchTraits;
}

/** @throws {OrchdError} ORCHD_ADAPTER_UNKNOWN, ORCHD_NO_BATCH */
export async function requireBatch(adapter: string): Promise<Batch> {
  if (adapter === '') throw new OrchdError('ORCHD_NO_BATCH', 'nothing says which agent program runs it');
  const { PLAIN_BATCH, requireAdapter } = await import('../../session/index.js');
  const { batch, programs, name } = requireAdapter(adapter);
  if (name === 'shell') return { program: null, traits: PLAIN_BATCH };
  const [program = name] = programs;
  if (batch === null) throw new OrchdError('ORCHD_NO_BATCH', `${name} has no mode without a terminal`);
  return { program, traits: batch };
}
