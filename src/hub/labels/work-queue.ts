/**
 * Takes work from the queues of this machine's labels.
 *
 *     waiting ─a free place→ taken: held here ─outcome→ the outcome is published, and the message acknowledged
 *                               └─not renewed for LEASE_MS→ waiting, for another machine
 *
 * All machines with a label share its consumer, so the server gives a message to one of them. The machine holds it by
 * renewing it every RENEW_MS, also after its daemon was killed or the connection was lost: the subject that renews it
 * is on disk. A message is acknowledged after its outcome was published.
 *
 * That subject has the sequence of the message in the stream. If the server was restored from a backup, another message
 * may have this sequence. So each connection looks first whether the stream still has the message there.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AckPolicy, type Consumer, type JsMsg, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import { reasonOf } from '../connect.js';
import { isCopy } from '../copied-message.js';
import { type Flood, Floods } from '../floods/index.js';
import { type Delivery, type Outcome, proofOf, type WorkMail } from '../mail/envelope.js';
import { PassedMessages } from '../mail/passed-messages.js';
import { WORK_STREAM, workConsumer, workFilter, workSubject } from '../names.js';
import { RefusedWork } from './refused-work.js';

/** Work that this machine has taken. */
export interface HeldWork {
  /** The machine that has offered it. */
  readonly from: string;
  readonly id: string;
  /** The subject on which the work is renewed and acknowledged. */
  readonly reply: string;
  readonly proof: string;
  /** Null while the work is not over. */
  readonly outcome: Outcome | null;
}

/** `refused`: this machine does not accept it, but another one may. `void`: no machine can accept it. */
export type Begun = 'begun' | 'refused' | 'void';

export interface WorkQueuePorts {
  readonly labels: readonly string[];
  /** True if a run could start at once. */
  isFree(): boolean;
  /** Resolves when a run could start at once, or when the signal aborts. */
  whenFree(signal: AbortSignal): Promise<void>;
  /**
   * Begins work. It is on disk before it begins.
   *
   * @throws {Error} The work cannot be stored now.
   */
  begin(work: Omit<HeldWork, 'outcome'>, message: string): Promise<Begun>;
  held(): readonly HeldWork[];
  /** Called when the outcome was published and the message is acknowledged. */
  release(from: string, id: string): Promise<void>;
  /** Milliseconds of a clock that only goes forward. */
  now(): number;
  readonly log: { info(message: string, about?: object): void };
}

/** After this time without a renewal, another machine gets the work. */
const LEASE_MS = 30_000;
const RENEW_MS = 8_000;
/** Time limit of one request for work. */
const PULL_MS = 30_000;
/** Pause after an error of the server. */
const RETRY_MS = 5_000;
const ACK_MS = 5_000;
/** Maximum number of goals of one label in progress, on all machines together. */
const MAX_IN_PROGRESS = 100_000;

/** Takes work for this machine from the queues of its labels, and holds it until it has an outcome. */
export class WorkQueue {
  readonly #ports: WorkQueuePorts;
  #problem: string | null = null;
  /** The subjects of held work of which the other machine was told on this connection. */
  readonly #told = new Set<string>();
  /** The subjects of held work whose message the server of this connection has. */
  readonly #confirmed = new Set<string>();
  readonly #refused = new RefusedWork();
  readonly #removed: Floods;
  #wake: () => void = () => undefined;

  constructor(ports: WorkQueuePorts) {
    this.#ports = ports;
    this.#removed = new Floods(ports.now);
  }

  /** Why no work can be taken now; null if it can. */
  get problem(): string | null {
    return this.#problem;
  }

  /** The machines that offer more work than is kept, or work that no machine can accept. */
  floods(): readonly Flood[] {
    return this.#removed.list();
  }

  /** Publishes the outcomes that are known by now. */
  wake(): void {
    this.#wake();
  }

  /** Takes and holds work until the signal aborts. */
  async run(connection: NatsConnection, mail: WorkMail, signal: AbortSignal): Promise<void> {
    this.#confirmed.clear();
    this.#told.clear(); // A daemon that was killed may not have told it, and a restored server may have lost it.
    const pulling = this.#ports.labels.map((label) => this.#pull(connection, label, signal));
    await Promise.all([...pulling, this.#renew(connection, mail, signal)]);
  }

  async #pull(connection: NatsConnection, label: string, signal: AbortSignal): Promise<void> {
    let consumer: Consumer | null = null;
    const filter = workFilter(label);
    const passed = new PassedMessages({ stream: WORK_STREAM, consumer: workConsumer(label), filter, mustBeIdle: true });
    while (!signal.aborted) {
      try {
        consumer ??= await open(connection, label);
        this.#problem = null;
        await this.#ports.whenFree(signal);
        if (signal.aborted) return;
        const message = await consumer.next({ expires: PULL_MS });
        if (message) await this.#take(message);
        else if (await hasPassed(passed, connection)) consumer = null;
      } catch (error) {
        if (signal.aborted) return;
        this.#problem = reasonOf(error);
        consumer = null;
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async #take(message: JsMsg): Promise<void> {
    const { subject, data, headers } = message;
    const { reply } = message as JsMsg & { readonly reply: string }; // the client's type omits `reply`
    if (data.length === 0 || isCopy(headers)) return void message.ack(); // retracted, or published by no machine
    if (!this.#ports.isFree()) return void message.nak(); // another label was faster
    const [, from = '', , , id = ''] = subject.split('.');
    try {
      const text = message.string();
      const proof = proofOf(text);
      const begun = await this.#ports.begin({ from, id, reply, proof }, text);
      if (begun === 'void') return this.#remove(message, from);
      if (begun === 'refused') {
        const pauseMs = this.#refused.pauseMs(from, id, message.info.deliveryCount, this.#ports.now());
        return pauseMs === null ? this.#remove(message, from) : message.nak(pauseMs);
      }
      this.#confirmed.add(reply);
      this.#wake(); // tells it; it may also be over, or have failed at once
    } catch (error) {
      message.nak(RETRY_MS);
      this.#ports.log.info('work of the hub is taken later', { id, reason: reasonOf(error) });
    }
  }

  #remove(message: JsMsg, from: string): void {
    message.term();
    if (this.#removed.note(from)) this.#ports.log.info('work of the hub is removed', { from });
  }

  async #renew(connection: NatsConnection, mail: WorkMail, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      for (const work of this.#ports.held()) {
        if (signal.aborted) return;
        await this.#renewOne(connection, mail, work).catch((error: unknown) => {
          if (!signal.aborted) this.#ports.log.info('work cannot be held', { id: work.id, reason: reasonOf(error) });
        });
      }
      const end = new AbortController();
      const stop = AbortSignal.any([signal, end.signal]);
      await Promise.race([woken, sleep(RENEW_MS, undefined, { signal: stop }).catch(() => undefined)]);
      end.abort();
    }
  }

  async #renewOne(connection: NatsConnection, mail: WorkMail, work: HeldWork): Promise<void> {
    const { from, id, reply, outcome, proof } = work;
    const isThere = await this.#isThere(connection, work);
    if (outcome === null && isThere) connection.publish(reply, '+WPI');
    if (!this.#told.has(reply)) {
      await mail.taken(from, id, proof, placeOf(reply));
      this.#told.add(reply);
    }
    if (outcome === null) return;
    await mail.outcome(from, id, outcome, proof);
    if (isThere) await connection.request(reply, '+ACK', { timeout: ACK_MS });
    await this.#ports.release(from, id);
    this.#confirmed.delete(reply);
    this.#told.delete(reply);
  }

  /**
   * True if the message of held work is where its subject says. If not, the server has lost it, or has it elsewhere and
   * delivers it again. A server that was set up for an earlier version does not tell; it is then taken as there.
   */
  async #isThere(connection: NatsConnection, { from, id, reply }: HeldWork): Promise<boolean> {
    if (this.#confirmed.has(reply)) return true;
    const { label, seq } = placeOf(reply);
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const last = { last_by_subj: workSubject(from, label, id) };
    const found = await manager.direct.getMessage(WORK_STREAM, last).then(
      (message) => message?.seq === seq,
      () => true,
    );
    if (found) this.#confirmed.add(reply);
    return found;
  }
}

/**
 * Returns the label, the sequence in the stream and the number of deliveries from the subject that acknowledges a
 * message:
 *
 *   $JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>.<sequence in the consumer>.<time>.<pending>
 *   $JS.ACK.<domain>.<account>.<stream>.<consumer>. …, of newer servers
 */
function placeOf(reply: string): Delivery & { readonly label: string } {
  const parts = reply.split('.');
  const consumer = parts.indexOf(WORK_STREAM) + 1;
  const [count, seq] = [Number(parts[consumer + 1]), Number(parts[consumer + 2])];
  return { label: (parts[consumer] ?? '').slice(workConsumer('').length), seq, count };
}

/** Looks whether work was passed while none was delivered. A server of an earlier version may not permit it. */
const hasPassed = async (passed: PassedMessages, connection: NatsConnection): Promise<boolean> =>
  passed.look(await jetstreamManager(connection, { checkAPI: false })).catch(() => false);

async function open(connection: NatsConnection, label: string): Promise<Consumer> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  await manager.consumers.add(WORK_STREAM, {
    durable_name: workConsumer(label),
    filter_subject: workFilter(label),
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(LEASE_MS),
    max_ack_pending: MAX_IN_PROGRESS,
  });
  const info = await manager.consumers.info(WORK_STREAM, workConsumer(label));
  return jetstream(connection).consumers.getConsumerFromInfo(info);
}
