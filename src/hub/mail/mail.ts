/**
 * The mail of this machine: commands and outcomes, in the stream `orchd_mail`.
 *
 *   orchd.<to>.mail.command.<from>.<id>    the server lets only <from> publish it
 *   orchd.<to>.mail.taken.<from>.<id>      <from> has begun the command; the outcome comes later
 *   orchd.<to>.mail.outcome.<from>.<id>
 *
 * The stream keeps a message until its machine has acknowledged it, also while the machine is away. A command is
 * offered again until its outcome was read: on each connection, and every OFFER_MS. The server stores it only if it has
 * none with this subject. So nothing is lost if the server was restored from a backup, and offers do not fill the
 * stream. The machine that carries commands out knows them by their ids.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AckPolicy,
  type ConsumerMessages,
  type JetStreamClient,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import { headers, type NatsConnection, nanos } from '@nats-io/transport-node';
import { OrchdError } from '../../protocol/index.js';
import { reasonOf } from '../connect.js';
import { isCopy } from '../copied-message.js';
import { type Flood, FloodGuard, type FloodLimit } from '../floods/index.js';
import { type Offered, WorkOffers } from '../labels/work-offers.js';
import { DELIVERY_HEADER, MAIL_STREAM, mailFilter, mailSubject, PROOF_HEADER } from '../names.js';
import { isAlreadyThere, maxTextBytes, PUBLISH_MS } from '../publishing/index.js';
import { type Delivery, deliveryText, type Later, type Outcome, parseDelivery, type WorkMail } from './envelope.js';
import { PassedMessages } from './passed-messages.js';

export interface OutgoingCommand {
  readonly id: string;
  /** A machine, or `label:NAME` for any machine with this label. */
  readonly to: string;
  /** The signed command as JSON. */
  readonly message: string;
  /** For a label: where it was offered, and the machine that has taken it. */
  readonly offered?: Offered;
  readonly takenBy?: string;
}

export interface MailPorts {
  /** The commands without an outcome. */
  waiting(): readonly OutgoingCommand[];
  /**
   * Carries a command out, or returns what became of it before. Rejects if it has to be delivered again.
   *
   * If the outcome comes later, `Mail.reply` sends it.
   */
  onCommand(from: string, id: string, message: string): Promise<Outcome | Later>;
  /**
   * Called at least once when a machine has begun a command whose outcome comes later.
   *
   * @param proof  `proofOf` the command if the machine has taken it from the queue of a label.
   * @param delivery  Which delivery of the queue that was; null if it is not known.
   */
  onTaken(from: string, id: string, proof: string, delivery: Delivery | null): Promise<void>;
  /** Called at least once with the outcome of each command. Rejects if it has to be delivered again. */
  onOutcome(from: string, id: string, outcome: Outcome, proof: string): Promise<void>;
  /** Called when a command for a label is in its queue. */
  onOffered(id: string, offered: Offered): Promise<void>;
  /** True if a key of the machine is enrolled here. */
  isEnrolled(machine: string): boolean;
  /** A monotonic clock in milliseconds. */
  now(): number;
  /** Called with the time at which the server has stored a message. */
  onServerTime(time: number): void;
  readonly log: { info(message: string, about?: object): void };
}

const OFFER_MS = 30_000;
/** The commands that were read from one enrolled machine. It offers those beyond the limit again after OFFER_MS. */
const OF_ENROLLED: FloodLimit = { burst: 200, perSecond: 50 };
/** A machine whose key is not enrolled gets refusals only. */
const OF_STRANGER: FloodLimit = { burst: 20, perSecond: 2 };
/** The server delivers a message again if it is not acknowledged within this time. */
const ACK_WAIT_MS = 10_000;
/** Interval at which the server is told that a command is still in progress. */
const WORKING_MS = 3_000;
/** Pause after an error of the server. */
const RETRY_MS = 5_000;
/** Number of messages that are handled at a time. */
const MAX_IN_PROGRESS = 64;
/** Number of messages that are fetched at a time: a flood has to be left unread faster than it is sent. */
const MAX_FETCHED = 256;
/** A newer server does not change a consumer that it has. */
const CONSUMER_EXISTS = 10_148;

/** Sends and receives commands and their outcomes. */
export class Mail {
  readonly #machine: string;
  readonly #ports: MailPorts;
  readonly #work: WorkOffers;
  readonly #passed: PassedMessages;
  #connection: NatsConnection | null = null;
  #problem: string | null = 'not connected yet';
  /** Opens the mail once more. */
  #restart: () => void = () => undefined;
  /** The messages that wait until those behind them have arrived. */
  #early: (() => void)[] = [];
  /** Number of messages that have arrived since the first of `#early`. */
  #arrivedSince = 0;
  readonly #guard: FloodGuard;
  #inProgress = 0;
  /** The messages that wait for their turn. */
  readonly #turns: (() => void)[] = [];

  constructor(machine: string, ports: MailPorts) {
    this.#machine = machine;
    this.#ports = ports;
    this.#work = new WorkOffers(machine);
    this.#guard = new FloodGuard(ports.now);
    const filter = mailFilter(machine);
    this.#passed = new PassedMessages({ stream: MAIL_STREAM, consumer: machine, filter, mustBeIdle: false });
  }

  /** Why no commands can be exchanged now; null if they can. */
  get problem(): string | null {
    return this.#problem;
  }

  /** The machines that send more commands than this one reads. */
  floods(): readonly Flood[] {
    return this.#guard.floods();
  }

  /** Receives and offers until the signal aborts. */
  async run(connection: NatsConnection, signal: AbortSignal): Promise<void> {
    this.#connection = connection;
    const offering = this.#offerAgain(signal);
    while (!signal.aborted) {
      try {
        const messages = await this.#open(connection);
        this.#problem = null;
        const stop = (): void => void messages.close().catch(() => undefined);
        this.#restart = stop;
        signal.addEventListener('abort', stop, { once: true }); // also while the connection lives
        if (signal.aborted) stop();
        for await (const message of messages) void this.#take(connection, message);
        signal.removeEventListener('abort', stop);
      } catch (error) {
        if (!signal.aborted) this.#problem = reasonOf(error);
      }
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
    await offering;
    this.#letGo();
    this.#connection = null;
    this.#problem = 'no connection to the hub';
  }

  /**
   * Gives a command to the server. Without a connection the command is sent later.
   *
   * @throws {Error} The server refuses the command, or does not answer; ORCHD_TOO_LARGE if the command is longer than a
   * message may be.
   */
  async offer(command: OutgoingCommand): Promise<void> {
    const { id, message, takenBy, offered } = command;
    const connection = this.#connection;
    if (!connection) return;
    const [bytes, maxBytes] = [Buffer.byteLength(message), maxTextBytes(connection)];
    if (bytes > maxBytes) {
      const words = `the command has ${bytes} bytes, and a message of the hub at most ${maxBytes}`;
      throw new OrchdError('ORCHD_TOO_LARGE', words);
    }
    const label = takenBy === undefined ? labelIn(command.to) : null;
    if (label !== null) {
      const isOpen = async (): Promise<boolean> => (await this.#isRead(connection)) && this.#isWaiting(id);
      const found = await this.#work.offer(connection, { id, label, message, offered }, isOpen);
      if (found !== offered) await this.#ports.onOffered(id, found);
      return;
    }
    await publish(jetstream(connection), mailSubject(takenBy ?? command.to, 'command', this.#machine, id), message);
  }

  /** True if all mail that the server has at this moment was read. */
  async #isRead(connection: NatsConnection): Promise<boolean> {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const { num_pending, num_ack_pending } = await manager.consumers.info(MAIL_STREAM, this.#machine);
    return num_pending === 0 && num_ack_pending === 0;
  }

  /** True if a command for a label has no outcome, and no machine has taken it. */
  #isWaiting(id: string): boolean {
    return this.#ports.waiting().some((command) => command.id === id && command.takenBy === undefined);
  }

  /** Takes a command for a label out of its queue, unless a machine has it. */
  async retract({ id, to }: Pick<OutgoingCommand, 'id' | 'to'>): Promise<void> {
    const label = labelIn(to);
    if (this.#connection && label !== null) await this.#work.retract(this.#connection, { id, label });
  }

  /**
   * Sends the outcome of a command that came later. Without a connection, or if that fails, the other machine offers
   * the command again, and gets the outcome then.
   */
  async reply(from: string, id: string, outcome: Outcome): Promise<void> {
    const connection = this.#connection;
    if (!connection) return;
    await this.#sendOutcome(connection, from, id, outcome).catch((error: unknown) => {
      this.#ports.log.info('an outcome could not be given to the hub', { id, reason: reasonOf(error) });
    });
  }

  /** Reports work for labels to the machine that has offered it. */
  workMail(connection: NatsConnection): WorkMail {
    return {
      taken: (from, id, proof, delivery) => {
        const subject = mailSubject(from, 'taken', this.#machine, id);
        return publish(jetstream(connection), subject, proof, { [DELIVERY_HEADER]: deliveryText(delivery) });
      },
      outcome: (from, id, outcome, proof) => this.#sendOutcome(connection, from, id, outcome, proof),
    };
  }

  #sendOutcome(connection: NatsConnection, from: string, id: string, outcome: Outcome, proof = ''): Promise<void> {
    const text = fitting(outcome, connection);
    const subject = mailSubject(from, 'outcome', this.#machine, id);
    return publish(jetstream(connection), subject, text, proof === '' ? {} : { [PROOF_HEADER]: proof });
  }

  async #offerAgain(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const waiting = this.#ports.waiting();
      this.#work.forgetExcept(new Set(waiting.map(({ id }) => id)));
      for (const command of waiting) {
        if (signal.aborted) return;
        await this.offer(command).catch((error: unknown) => {
          this.#ports.log.info('a command could not be given to the hub', { id: command.id, reason: reasonOf(error) });
        });
      }
      await this.#repair().catch(() => undefined); // not permitted by the configuration of an earlier version
      await sleep(OFFER_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #repair(): Promise<void> {
    if (!this.#connection || !(await this.#passed.look(await jetstreamManager(this.#connection, { checkAPI: false }))))
      return;
    this.#ports.log.info('the hub does not deliver all mail; it is read from its beginning');
    this.#restart();
  }

  async #open(connection: NatsConnection): Promise<ConsumerMessages> {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const config = {
      durable_name: this.#machine,
      filter_subject: mailFilter(this.#machine),
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: MAX_FETCHED,
    };
    await manager.consumers.add(MAIL_STREAM, config).catch(async (error: unknown) => {
      const isThere = error instanceof Error && 'code' in error && error.code === CONSUMER_EXISTS;
      if (!isThere) throw error;
      await manager.consumers.update(MAIL_STREAM, this.#machine, { max_ack_pending: MAX_FETCHED });
    });
    const consumer = jetstream(connection).consumers.getConsumerFromInfo(
      await manager.consumers.info(MAIL_STREAM, this.#machine),
    );
    return consumer.consume({ max_messages: MAX_FETCHED });
  }

  /**
   * Resolves when all messages of a backlog have arrived, or as many as may be in progress. A command then finds that
   * it was withdrawn behind its back while this machine was away.
   */
  #arrived(message: JsMsg): Promise<void> {
    const isArrived = new Promise<void>((resolve) => this.#early.push(resolve));
    this.#noteArrival(message);
    return isArrived;
  }

  #noteArrival({ info }: JsMsg): void {
    this.#arrivedSince++;
    if (info.pending === 0 || this.#arrivedSince >= MAX_FETCHED) this.#letGo();
  }

  #letGo(): void {
    this.#arrivedSince = 0;
    for (const go of this.#early.splice(0)) go();
  }

  /** True if a machine sends more commands than this one reads. */
  #isTooMany(from: string): boolean {
    const admitted = this.#guard.admit(from, this.#ports.isEnrolled(from) ? OF_ENROLLED : OF_STRANGER);
    if (admitted === 'flooded') {
      this.#ports.log.info('a machine sends too many commands; most are left unread', { from });
    }
    return admitted !== 'read';
  }

  /** Waits until fewer than MAX_IN_PROGRESS messages are in progress. */
  async #turn(): Promise<void> {
    if (this.#inProgress >= MAX_IN_PROGRESS) await new Promise<void>((resolve) => this.#turns.push(resolve));
    this.#inProgress++;
  }

  #endTurn(): void {
    this.#inProgress--;
    this.#turns.shift()?.();
  }

  /** Never rejects. A message that cannot be handled now is not acknowledged. */
  async #take(connection: NatsConnection, message: JsMsg): Promise<void> {
    if (isCopy(message.headers)) return void message.ack(); // the machine named in the subject did not publish it
    const [, , , kind, from = '', id = ''] = message.subject.split('.');
    this.#ports.onServerTime(message.info.timestampNanos / 1e6);
    const working = setInterval(() => message.working(), WORKING_MS);
    try {
      if (kind === 'command' && this.#isTooMany(from)) {
        this.#noteArrival(message);
      } else {
        await this.#arrived(message);
        await this.#turn();
        await this.#handle(connection, message, { kind, from, id }).finally(() => this.#endTurn());
      }
      message.ack();
    } catch (error) {
      this.#ports.log.info('a message of the hub is taken later', {
        subject: message.subject,
        reason: reasonOf(error),
      });
    } finally {
      clearInterval(working);
    }
  }

  async #handle(
    connection: NatsConnection,
    message: JsMsg,
    { kind, from, id }: { readonly kind: string | undefined; readonly from: string; readonly id: string },
  ): Promise<void> {
    if (kind === 'command') {
      const outcome = await this.#ports.onCommand(from, id, message.string());
      if (typeof outcome === 'object') await this.#sendOutcome(connection, from, id, outcome);
      else if (outcome === 'taken')
        await publish(jetstream(connection), mailSubject(from, 'taken', this.#machine, id), '');
    } else if (kind === 'taken') {
      const delivery = parseDelivery(message.headers?.get(DELIVERY_HEADER));
      await this.#ports.onTaken(from, id, message.string(), delivery);
    } else if (kind === 'outcome') {
      const outcome = parseOutcome(message.string());
      if (outcome) await this.#ports.onOutcome(from, id, outcome, message.headers?.get(PROOF_HEADER) ?? '');
    }
  }
}

const LABEL = 'label:';

/** Returns the label that a command is for; null if it is for one machine. */
const labelIn = (to: string): string | null => (to.startsWith(LABEL) ? to.slice(LABEL.length) : null);

async function publish(
  client: JetStreamClient,
  subject: string,
  text: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<void> {
  const header = headers();
  for (const [name, value] of Object.entries(fields)) header.set(name, value);
  try {
    await client.publish(subject, text, { expect: { lastSubjectSequence: 0 }, timeout: PUBLISH_MS, headers: header });
  } catch (error) {
    if (!isAlreadyThere(error)) throw error;
  }
}

/** Returns the outcome as JSON; if it is longer than a message may be, an error that says so. */
function fitting(outcome: Outcome, connection: NatsConnection): string {
  const text = JSON.stringify(outcome);
  const maxBytes = maxTextBytes(connection);
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return text;
  const message = `the output has ${bytes} bytes, and a message of the hub at most ${maxBytes}`;
  return JSON.stringify({ error: { code: 'ORCHD_TOO_LARGE', message } } satisfies Outcome);
}

function parseOutcome(text: string): Outcome | null {
  try {
    const outcome = JSON.parse(text) as Outcome | null;
    if (typeof outcome !== 'object' || outcome === null) return null;
    if ('output' in outcome) return outcome;
    return typeof outcome.error?.code === 'string' && typeof outcome.error.message === 'string' ? outcome : null;
  } catch {
    return null;
  }
}
