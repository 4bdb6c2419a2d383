/**
 * Offers work to the machines with a label.
 *
 *   orchd.<from>.work.<label>.<id>    a signed command; the server lets only <from> publish it
 *
 * The stream has one message for each subject, and removes it when a machine has acknowledged it. Before that, the
 * machine has put the outcome into the mail. After all mail is read, work without an outcome that is missing from the
 * stream was lost: the server was restored from a backup without it, or a machine has removed it (refused-work.ts). It
 * is then offered again. Without these checks, work that is done already could be offered and done again.
 */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { WORK_STREAM, workSubject } from '../names.js';
import { isAlreadyThere, PUBLISH_MS } from '../publishing/index.js';

interface Work {
  readonly id: string;
  readonly label: string;
  readonly message: string;
  /** The place in the stream where the work was offered before. */
  readonly offered?: Offered | undefined;
}

/** The place of a message: when its stream was created, and its sequence there. */
export interface Offered {
  readonly stream: string;
  readonly seq: number;
}

/** Offers the work of this machine to the machines with a label. */
export class WorkOffers {
  readonly #machine: string;
  /** Ids that the last look did not find in the stream. */
  readonly #missing = new Set<string>();

  /** @param machine  The machine that offers. */
  constructor(machine: string) {
    this.#machine = machine;
  }

  /**
   * Gives the work to the server, unless it has it, or had it and may have its outcome.
   *
   * @param isOpen  Resolves with true if all mail up to now was read, and the work has no outcome.
   * @returns Where it is.
   * @throws {Error} The server refuses it, or does not answer.
   */
  async offer(connection: NatsConnection, work: Work, isOpen: () => Promise<boolean>): Promise<Offered> {
    const { id, label, message, offered } = work;
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const subject = workSubject(this.#machine, label, id);
    const { created: stream, state } = await manager.streams.info(WORK_STREAM, { subjects_filter: subject });
    if (offered?.stream === stream && offered.seq <= state.last_seq) {
      const isThere = state.subjects?.[subject] !== undefined;
      const wasMissing = this.#missing.delete(id);
      if (isThere) return offered;
      const isLost = wasMissing && (await isOpen());
      if (!isLost) {
        this.#missing.add(id);
        return offered;
      }
    }
    try {
      const ack = await jetstream(connection).publish(subject, message, {
        // Without `offered` it may be a repetition, which the server may have stored and removed by now.
        msgID: offered ? `${id}:${offered.stream}:${offered.seq}` : id,
        expect: { lastSubjectSequence: 0 },
        timeout: PUBLISH_MS,
      });
      return { stream, seq: ack.seq };
    } catch (error) {
      if (!isAlreadyThere(error)) throw error;
      return { stream, seq: state.last_seq };
    }
  }

  /** Forgets what was looked for, except for work that still has no outcome. */
  forgetExcept(ids: ReadonlySet<string>): void {
    for (const id of this.#missing) if (!ids.has(id)) this.#missing.delete(id);
  }

  /** Replaces work that no machine has taken by an empty message, which a machine only acknowledges. */
  async retract(connection: NatsConnection, { id, label }: Pick<Work, 'id' | 'label'>): Promise<void> {
    await jetstream(connection).publish(workSubject(this.#machine, label, id), '', { timeout: PUBLISH_MS });
  }
}
