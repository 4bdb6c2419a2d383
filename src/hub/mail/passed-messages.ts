/**
 * Finds messages that a consumer has passed without delivering them, and deletes the consumer, so that the next one
 * begins with them. Also detects that the consumer no longer exists on the server.
 *
 * In a cluster, NATS can lose deliveries of a consumer when the server that leads it is killed (seen with 2.9.10): the
 * messages stay in the stream, but the consumer counts them as done. The consumer itself may also disappear without a
 * report from the client. A message that is delivered again is recognized by its id.
 */
import type { JetStreamManager } from '@nats-io/jetstream';

interface Passing {
  readonly stream: string;
  readonly consumer: string;
  /** The subjects that the consumer delivers. */
  readonly filter: string;
  /** True if messages in progress must not be delivered again: it then waits until there are none. */
  readonly mustBeIdle: boolean;
}

export class PassedMessages {
  readonly #passing: Passing;
  /** True if the last look has found passed messages. A message may also be acknowledged between two requests. */
  #isSuspected = false;

  constructor(passing: Passing) {
    this.#passing = passing;
  }

  /**
   * Compares the stream with its consumer. Deletes the consumer when two looks in a row have found passed messages.
   *
   * @returns True if the consumer has to be made anew.
   * @throws {Error} The server refuses it, or does not answer.
   */
  async look(manager: Pick<JetStreamManager, 'streams' | 'consumers'>): Promise<boolean> {
    const { stream, consumer, filter, mustBeIdle } = this.#passing;
    const { state } = await manager.streams.info(stream, { subjects_filter: filter });
    const found = await manager.consumers.info(stream, consumer).catch(nullIfMissing);
    if (!found) return true;
    const { num_pending, num_ack_pending } = found;
    const known = num_pending + num_ack_pending;
    const count = Object.values(state.subjects ?? {}).reduce((sum, messages) => sum + messages, 0);
    const isPassed = count > known && !(mustBeIdle && known > 0);
    const isCertain = isPassed && this.#isSuspected;
    this.#isSuspected = isPassed && !isCertain;
    if (isCertain) await manager.consumers.delete(stream, consumer);
    return isCertain;
  }
}

const NO_CONSUMER = 10_014;

/** @throws {unknown} Any other error. */
function nullIfMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === NO_CONSUMER) return null;
  throw error;
}
