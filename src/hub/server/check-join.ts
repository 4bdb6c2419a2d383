/** The checks before a daemon joins a hub. */
import { jetstreamManager } from '@nats-io/jetstream';
import { OrchdError } from '../../protocol/index.js';
import { openConnection, reasonOf, shownUrl } from '../connect.js';
import type { Membership } from '../ports.js';
import { readPosition } from '../publishing/index.js';
import { isMissingStream } from './init.js';

/**
 * Checks that a daemon can join: the server answers, has the streams, and no other log has the name.
 *
 * @returns The log that has published under the name before, if `isReplacing`.
 * @throws {OrchdError} The reason why it cannot.
 */
export async function checkJoin(
  membership: Membership,
  lastSeq: number,
  isReplacing: boolean,
): Promise<{ readonly replaces?: string }> {
  const connection = await openConnection(membership);
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    await readPosition(manager, membership, lastSeq);
    return {};
  } catch (error) {
    if (isMissingStream(error)) {
      const url = shownUrl(membership.url);
      throw new OrchdError('ORCHD_HUB_EMPTY', `the server at ${url} has no streams of orchd yet`);
    }
    if (error instanceof OrchdError) {
      const taken = error.details as { log?: string } | undefined;
      if (isReplacing && error.code === 'ORCHD_HUB_NAME_TAKEN' && taken?.log) return { replaces: taken.log };
      throw error;
    }
    throw new OrchdError('ORCHD_HUB_REFUSED', `the server refuses: ${reasonOf(error)}`, undefined, error);
  } finally {
    await connection.close();
  }
}
