/** Tells workflows on which machines of the hub a run can be placed, and on which one it is. */
import type { Member } from '../../hub/index.js';
import { notOnHub, OrchdError } from '../../protocol/index.js';
import type { RunPlacement } from '../workflows/index.js';
import type { PlacedCommands } from './placed-commands.js';
import { addressOf } from './remote-operation.js';

interface JoinedHub {
  readonly member: Member;
  readonly placed: PlacedCommands;
}

interface PlacesPorts {
  /** The name of this machine; null if it is on no hub. */
  name(): string | null;
  joined(): JoinedHub | undefined;
  /** Resolves when the daemon has joined or left, if it is about to. */
  settled(): Promise<unknown>;
}

export function createRunPlacement({ name, joined, settled }: PlacesPorts): RunPlacement {
  /** @throws {OrchdError} ORCHD_HUB_NOT_JOINED */
  const need = async (): Promise<JoinedHub> => {
    await settled();
    const found = joined();
    if (!found) throw notOnHub();
    return found;
  };
  return {
    name,
    async check(place) {
      const { member } = await need();
      if (place.kind === 'label') return; // a machine with the label may join later
      if (member.status().state !== 'connected') return;
      const machines = await member.machines().catch(() => []); // a key may only publish
      if (machines.length === 0 || machines.some((machine) => machine.name === place.name)) return;
      throw new OrchdError('ORCHD_MACHINE_UNKNOWN', `the hub knows no machine '${place.name}'`);
    },
    place: async (place, input) => (await need()).placed.place(addressOf(place), input),
    withdraw: async (runId) => joined()?.placed.withdraw(runId),
    machineOf: (runId) => joined()?.placed.machineOf(runId),
    sessionOf: (runId) => joined()?.placed.sessionOf(runId) ?? null,
  };
}
