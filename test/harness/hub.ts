/**
 * Connects daemons to a hub without processes of the CLI, which hub.test.ts and hub-security.test.ts test, and reads
 * the hub as an outside observer: every message of the events' stream, and the entries of a bucket.
 */

import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { publicKey } from '../../src/hub/index.js';
import type { Event, InputOf } from '../../src/protocol/index.js';
import type { TestDaemon } from './daemon.js';

/** Joins a daemon to a hub, as `orchd hub join URL --name NAME` does. */
export async function joinHub(
  daemon: TestDaemon,
  url: string,
  name: string,
  more: Omit<InputOf<'hub.join'>, 'url' | 'name'> = {},
): Promise<void> {
  await daemon.client.call('hub.join', { url, name, ...more });
}

/** Lets the machine `name`, whose daemon is `from`, send commands to `daemon`, as `orchd hub enroll` does. */
export async function enroll(daemon: TestDaemon, name: string, from: TestDaemon): Promise<void> {
  await daemon.client.call('hub.enroll', { name, key: publicKey(from.paths.hubKeyFile) });
}

export interface HubMessage {
  readonly subject: string;
  readonly text: string;
}

/** Returns all messages of a stream of a server without accounts, in order. */
export async function readStream(url: string, stream: string): Promise<HubMessage[]> {
  const connection = await connect({ servers: url.replace('nats://', '') });
  try {
    const manager = await jetstreamManager(connection);
    const { state } = await manager.streams.info(stream);
    const messages: HubMessage[] = [];
    for (let seq = Math.max(1, state.first_seq); seq <= state.last_seq; seq++) {
      const message = await manager.streams.getMessage(stream, { seq }).catch(() => null);
      if (message) messages.push({ subject: message.subject, text: new TextDecoder().decode(message.data) });
    }
    return messages;
  } finally {
    await connection.close();
  }
}

/** Returns the events that one machine has published, in the order of the stream. */
export async function publishedEvents(url: string, machine: string): Promise<Event[]> {
  const messages = await readStream(url, 'orchd_events');
  return messages
    .filter(({ subject }) => subject === `orchd.${machine}.events`)
    .flatMap(({ text }) => text.split('\n').map((line) => JSON.parse(line) as Event));
}
