/**
 * Offers work to the machines with a label.
 *
 *   orchd.<from>.work.<label>.<id>    a signed command; the server lets only <from> publish it
 *
 * The stream has one message for each subject, and removes it when a machine has acknowledged it. Work is therefore
 * offered once for each history of the stream: an offer that is repeated after it was done would be done again. If the
 * server was restored from a backup without it, it is offered again.
 */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { WORK_STREAM, workSubject } from '../names.js';

export interface Work {
  readonly id: string;
  readonly label: string;
  readonly message: string;
  /** The place where it was offered before. */
  readonly offered?: Offered | undefined;
}

/** The place of a message: when its stream was created, and its sequence there. */
export interface Offered {
  readonly stream: string;
  readonly seq: number;
}

const PUBLISH_MS = 5_000;
/** The stream has a message with this subject already. */
const WRONG_LAST_SEQUENCE = 10_071;

export class WorkOffers {
  readonly #machine: string;

  /** @param machine  The machine that offers. */
  constructor(machine: string) {
    this.#machine = machine;
  }

  /**
   * Gives the work to the server, unless it has it, or had it.
   *
   * @returns Where it is.
   * @throws {Error} The server refuses it, or does not answer.
   */
  async offer(connection: NatsConnection, { id, label, message, offered }: Work): Promise<Offered> {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const { created: stream, state } = await manager.streams.info(WORK_STREAM);
    if (offered?.stream === stream && offered.seq <= state.last_seq) return offered;
    try {
      const ack = await jetstream(connection).publish(workSubject(this.#machine, label, id), message, {
        msgID: id,
        expect: { lastSubjectSequence: 0 },
        timeout: PUBLISH_MS,
      });
      return { stream, seq: ack.seq };
    } catch (error) {
      const isThere = error instanceof Error && 'code' in error && error.code === WRONG_LAST_SEQUENCE;
      if (!isThere) throw error;
      return { stream, seq: state.last_seq };
    }
  }

  /** Replaces work that no machine has taken by an empty message, which a machine only acknowledges. */
  async retract(connection: NatsConnection, { id, label }: Pick<Work, 'id' | 'label'>): Promise<void> {
    await jetstream(connection).publish(workSubject(this.#machine, label, id), '', { timeout: PUBLISH_MS });
  }
}
