/**
 * WebSockets of browsers, which cannot send the token as a header: the first message carries it.
 *
 *     client  {"type":"hello","token":"web_…"}     within HELLO_MS
 *     daemon  {"type":"welcome","version":V,"last_seq":N,"device":{…} | null}, then the stream
 *             {"type":"refused","error":…,"code":…}, then 1008
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { CLOSE, OrchdError, VERSION } from '../../protocol/index.js';
import { type Identity, identifyToken, type Secrets } from '../access/index.js';
import type { Devices } from '../web/index.js';
import { toOrchdError } from './problem.js';

export interface HelloPorts {
  readonly secrets: Secrets;
  readonly devices: Pick<Devices, 'whileValid'>;
  readonly bus: { readonly lastSeq: number };
}

const HELLO_MS = 10_000;
/** A browser sends nothing larger: a paste into a terminal. */
const MAX_BYTES = 1024 * 1024;
/**
 * Maximum number of connections that have not sent their first message. If there are more, the oldest one is closed.
 */
const MAX_STRANGERS = 16;

const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_BYTES });
const strangers = new Set<WebSocket>();

export const helloClients = (): ReadonlySet<WebSocket> => sockets.clients;

/** @param prepare  Returns the function that begins the stream. Its errors refuse the client. */
export function acceptHello(
  ports: HelloPorts,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  prepare: (identity: Identity) => (ws: WebSocket) => void,
): void {
  sockets.handleUpgrade(request, socket, head, (ws) => {
    ws.on('error', () => ws.terminate());
    strangers.add(ws);
    const [oldest] = strangers;
    if (strangers.size > MAX_STRANGERS) oldest?.terminate();
    const timer = setTimeout(() => ws.close(CLOSE.notAllowed, 'no hello'), HELLO_MS);
    const known = (): void => {
      clearTimeout(timer);
      strangers.delete(ws);
    };
    ws.once('close', known);
    ws.once('message', (data, isBinary) => {
      known();
      try {
        const identity = identifyToken(isBinary ? '' : tokenOf(String(data)), ports.secrets);
        const { device } = identity;
        if (device)
          ws.once(
            'close',
            ports.devices.whileValid(device, () => ws.close(CLOSE.notAllowed, 'signed out')),
          );
        const begin = prepare(identity);
        ws.send(JSON.stringify({ type: 'welcome', version: VERSION, last_seq: ports.bus.lastSeq, device }));
        begin(ws);
      } catch (error) {
        const known = toOrchdError(error);
        ws.send(JSON.stringify({ type: 'refused', ...known.toProblem() }));
        ws.close(CLOSE.notAllowed, known.code);
      }
    });
  });
}

/** @throws {OrchdError} ORCHD_UNAUTHORIZED */
function tokenOf(text: string): string {
  try {
    const { type, token } = JSON.parse(text) as { type?: unknown; token?: unknown };
    if (type === 'hello' && typeof token === 'string') return token;
  } catch {
    // Refused below.
  }
  throw new OrchdError('ORCHD_UNAUTHORIZED', 'the first message must be {"type":"hello","token":…}');
}
