/** The error for a machine that the hub does not know; it names one that is spelled almost like it. */
import { nearest, OrchdError } from '../../protocol/index.js';

export function unknownMachine(wanted: string, known: readonly { readonly name: string }[]): OrchdError {
  const names = known.map(({ name }) => name);
  const near = nearest(wanted, names) ?? names.find((name) => name.startsWith(wanted));
  const instead = near === undefined ? '' : `; did you mean ${near}?`;
  return new OrchdError('ORCHD_MACHINE_UNKNOWN', `the hub knows no machine '${wanted}'${instead}`);
}
