/**
 * The terminal channels of this machine over its connection to the hub.
 *
 *   orchd.<to>.terminal.<from>.<id>    the server lets only <from> publish it, and only <to> subscribe to it
 *
 * The id is random. Each end subscribes before the other one learns that it may publish, so no frame is lost. Channels
 * end with the connection.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import { CLOSE, OrchdError } from '../../protocol/index.js';
import { checkMachineName, terminalSubject } from '../names.js';
import { KIND_BYTES } from './frame.js';
import { createKeyPair, SEAL_BYTES, Seal } from './seal.js';
import { TerminalChannel } from './terminal-channel.js';

export interface PreparedChannel {
  readonly id: string;
  /** The public key of this end, for the other one. */
  readonly key: string;
  /**
   * @param peerKey  The public key of the other end.
   * @throws {OrchdError} ORCHD_INVALID if the key is malformed.
   */
  begin(peerKey: string): TerminalChannel;
  /** Called instead of `begin` if the channel is not needed. */
  cancel(): void;
}

/** Version of the frames and of the opening command. Machines tell it with their heartbeat. */
export const TERMINAL_CONTRACT = 1;
/** How long a daemon that ends waits until the hub has the last frames. */
const FLUSH_MS = 250;
/** How long the server may take to reply to a subscription. */
const REPLY_MS = 3_000;
const ID_BYTES = 16;
const ID = /^[A-Za-z0-9_-]{22}$/;
const MAX_PIECE_BYTES = 32 * 1024;
/** The terminals that one machine shows, watches and opens at a time. */
export const MAX_CHANNELS = 64;

/** Opens and limits the terminal channels of this machine. */
export class TerminalChannels {
  readonly #own: string;
  readonly #open = new Set<TerminalChannel>();
  /** Number of prepared channels that have not begun. */
  #opening = 0;

  constructor(own: string) {
    this.#own = own;
  }

  /**
   * Subscribes to what the other machine will publish.
   *
   * @param id  Default: a new one.
   * @throws {OrchdError} ORCHD_HUB_REFUSED if the server does not permit it; ORCHD_HUB_FORBIDDEN for too many channels;
   *   ORCHD_INVALID if the id is malformed.
   */
  async prepare(connection: NatsConnection, peer: string, id = newId()): Promise<PreparedChannel> {
    if (!ID.test(id)) throw new OrchdError('ORCHD_INVALID', 'the id of the terminal channel is not valid');
    if (this.#open.size + this.#opening >= MAX_CHANNELS) {
      const message = `'${this.#own}' has ${MAX_CHANNELS} terminals open with other machines: detach one of them`;
      throw new OrchdError('ORCHD_HUB_FORBIDDEN', message);
    }
    const own = this.#own;
    const subject = terminalSubject(checkMachineName(peer), own, id);
    let channel: TerminalChannel | undefined;
    let refusal: Error | null = null;
    const subscription = connection.subscribe(terminalSubject(own, peer, id), {
      callback: (error, message) => {
        if (error) refusal = error;
        else channel?.receive(message.data);
      },
    });
    const opened = this.#countOpening();
    const cancel = (): void => {
      opened();
      if (!subscription.isClosed()) subscription.unsubscribe();
    };
    const hasReplied = await flushed(connection, REPLY_MS).catch((error: unknown) => {
      cancel();
      throw error;
    });
    if (refusal !== null || !hasReplied) cancel();
    if (refusal !== null) throw refused(own, refusal); // the server refuses before it replies
    if (!hasReplied) {
      throw new OrchdError('ORCHD_HUB_UNREACHABLE', 'the server of the hub does not reply');
    }
    const pair = createKeyPair();
    const sealOf = (peerKey: string): Seal => {
      try {
        return new Seal({ own, peer, id }, pair, peerKey);
      } catch (error) {
        cancel();
        throw error;
      }
    };
    return {
      id,
      key: pair.publicKey,
      cancel,
      begin: (peerKey) => {
        const seal = sealOf(peerKey);
        const maxPayload = connection.info?.max_payload ?? Number.POSITIVE_INFINITY;
        const begun = new TerminalChannel({
          peer,
          seal,
          maxPieceBytes: Math.min(MAX_PIECE_BYTES, maxPayload - SEAL_BYTES - KIND_BYTES),
          publish: (sealed) => connection.publish(subject, sealed),
          ended: () => {
            this.#open.delete(begun);
            cancel();
          },
        });
        this.#open.add(begun);
        opened();
        channel = begun;
        return begun;
      },
    };
  }

  /** @returns Called once or more when the channel has begun, or was given up. */
  #countOpening(): () => void {
    let isOpening = true;
    this.#opening++;
    return () => {
      if (isOpening) this.#opening--;
      isOpening = false;
    };
  }

  /** Ends all channels, and tells the other machines so, as far as the connection lives. */
  async close(connection: NatsConnection): Promise<void> {
    if (this.#open.size === 0) return;
    for (const channel of [...this.#open]) channel.close(CLOSE.goingAway, `the daemon of '${this.#own}' stops`);
    await flushed(connection, FLUSH_MS).catch(() => undefined);
  }

  /** Ends all channels. Called when the connection has ended. */
  lost(reason: string): void {
    for (const channel of [...this.#open]) channel.lost(reason);
  }
}

/** @returns True if the server has handled everything that was sent to it, false if it did not reply in time. */
async function flushed(connection: NatsConnection, ms: number): Promise<boolean> {
  const end = new AbortController();
  const late = sleep(ms, false, { signal: end.signal }).catch(() => false);
  try {
    return await Promise.race([connection.flush().then(() => true), late]);
  } finally {
    end.abort();
  }
}

const newId = (): string => randomBytes(ID_BYTES).toString('base64url');

function refused(own: string, cause: Error): OrchdError {
  const message =
    `the server passes no terminals to '${own}': its configuration is of an earlier version; print it again with ` +
    '`orchd hub config`, and have the server read it';
  return new OrchdError('ORCHD_HUB_REFUSED', message, undefined, cause);
}
