/**
 * The `attach` clients of each session: each is told how many others there are, and one may detach the others.
 *
 * In:   clients that come and go.
 * Out:  `clients` messages to those that stay, whenever the numbers that they know have changed.
 */

import { CLOSE } from '../../protocol/index.js';
import type { AttachedClient } from './size-control.js';
import type { TerminalSocket } from './socket.js';

interface Known {
  readonly socket: TerminalSocket;
  readonly client: AttachedClient;
  /** The message that the client got last. */
  told: string;
}

const ALONE = messageOf({ others: 0, readers: 0 });

export class AttachedClients {
  readonly #sessions = new Map<string, Set<Known>>();

  /** Adds a client until its socket closes. */
  add(sessionId: string, socket: TerminalSocket, client: AttachedClient): void {
    const all = this.#sessions.get(sessionId) ?? new Set<Known>();
    this.#sessions.set(sessionId, all);
    const known: Known = { socket, client, told: ALONE };
    all.add(known);
    socket.on('close', () => {
      all.delete(known);
      if (all.size === 0 && this.#sessions.get(sessionId) === all) this.#sessions.delete(sessionId);
      tellAll(all);
    });
    tellAll(all);
  }

  /** Detaches all other clients of the session, and sends each the reason. */
  detachOthers(sessionId: string, client: AttachedClient): void {
    for (const { socket, client: other } of [...(this.#sessions.get(sessionId) ?? [])]) {
      if (other === client) continue;
      socket.send(JSON.stringify({ type: 'detached' }));
      socket.close(CLOSE.notAllowed, 'another client has detached this one');
    }
  }
}

function tellAll(all: ReadonlySet<Known>): void {
  const readers = [...all].filter(({ client }) => client.isReadOnly).length;
  for (const known of all) {
    const own = known.client.isReadOnly ? 1 : 0;
    const message = messageOf({ others: all.size - readers - (1 - own), readers: readers - own });
    if (message === known.told) continue;
    known.told = message;
    if (known.socket.readyState === known.socket.OPEN) known.socket.send(message);
  }
}

/** `others`: may type. `readers`: only read. */
function messageOf(counts: { readonly others: number; readonly readers: number }): string {
  return JSON.stringify({ type: 'clients', ...counts });
}
