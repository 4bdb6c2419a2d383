/**
 * Handlers of the `hub.*` operations. They pass requests to the daemon's hub membership. `hub.call` first checks that
 * other machines carry out the operation, that the browser may call it, and that the input is valid.
 */
import {
  OPERATIONS,
  type OperationEntry,
  type OperationName,
  OrchdError,
  validateInput,
} from '../../protocol/index.js';
import type { HubMembership } from '../machines/index.js';
import { permitDevice } from '../web/index.js';
import type { Handlers } from './handler.js';

export interface HubPorts {
  readonly membership: HubMembership;
}

export const hubHandlers = ({ membership }: HubPorts) =>
  ({
    'hub.join': async (input) => membership.join(input),
    'hub.leave': async () => membership.leave(),
    'hub.sessions': async (input) => membership.sessions(input),
    'hub.items': async (input) => membership.items(input),
    'hub.events': async (input, { signal }) => membership.events(input, signal),
    'hub.call': async (request, caller) => {
      const { operation, input } = request;
      const entry: OperationEntry | undefined = Object.hasOwn(OPERATIONS, operation)
        ? OPERATIONS[operation as OperationName]
        : undefined;
      if (entry?.remote === undefined || entry.outcomeComesLater) {
        throw new OrchdError('ORCHD_INVALID', `'${operation}' is not an operation that other machines carry out`);
      }
      if (caller.device) permitDevice(caller.device, entry, input);
      const errors = validateInput(operation as OperationName, input);
      if (errors.length > 0) {
        const words = errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
        throw new OrchdError('ORCHD_INVALID', `the input does not fit: ${words}`, { errors });
      }
      return membership.call(request, caller);
    },
    'hub.commands': async () => membership.commands(),
    'hub.keys': async () => membership.keys(),
    'hub.enroll': async (input) => membership.enroll(input),
    'hub.unenroll': async (input) => membership.unenroll(input),
    'hub.status': async () => membership.status(),
  }) satisfies Partial<Handlers>;
