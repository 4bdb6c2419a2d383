/** The batch mode of an agent program. Loaded on demand: a daemon without runs keeps no adapters in memory. */
import { OrchdError } from '../../protocol/index.js';
import type { BatchTraits } from '../../session/index.js';

interface Batch {
  /** The program's usual name; null if the run's arguments already contain the program. */
  readonly program: string | null;
  readonly traits: BatchTraits;
}

interface Program {
  /** The program's usual name; null if the run's arguments already contain the program. */
  readonly program: string | null;
  /** The command-line option that selects the model in terminal mode; null for none. */
  readonly model: string | null;
  /** True if the program can also run without a terminal. */
  readonly hasBatch: boolean;
}

const NO_PROGRAM = 'no agent program is set: name one in the request, in its blueprint, or as runs.adapter';

/** @throws {OrchdError} ORCHD_ADAPTER_UNKNOWN, ORCHD_NO_BATCH */
export async function requireProgram(adapter: string): Promise<Program> {
  if (adapter === '') throw new OrchdError('ORCHD_NO_BATCH', NO_PROGRAM);
  const { requireAdapter } = await import('../../session/index.js');
  const { batch, programs, name, start } = requireAdapter(adapter);
  const isPlain = name === 'shell';
  return {
    program: isPlain ? null : (programs[0] ?? name),
    model: start?.model ?? null,
    hasBatch: isPlain || batch !== null,
  };
}

/** @throws {OrchdError} ORCHD_ADAPTER_UNKNOWN, ORCHD_NO_BATCH */
export async function requireBatch(adapter: string): Promise<Batch> {
  const { program } = await requireProgram(adapter);
  const { PLAIN_BATCH, requireAdapter } = await import('../../session/index.js');
  const { batch, name } = requireAdapter(adapter);
  if (program === null) return { program, traits: PLAIN_BATCH };
  if (batch === null) throw new OrchdError('ORCHD_NO_BATCH', `${name} has no mode without a terminal`);
  return { program, traits: batch };
}
