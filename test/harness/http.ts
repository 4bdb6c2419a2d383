/** Sends plain HTTP requests, without the project's own client. */
import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { request as requestTls } from 'node:https';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a reply is any JSON, which the tests check
  readonly body: any;
}
export interface Ask {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly token?: string;
  /** Keeps the connection for the next request. */
  readonly agent?: Agent;
  /** Over TCP; with https:, any certificate is accepted. */
  readonly url?: string;
}

/** One request over the daemon's Unix socket, or over TCP, as any HTTP client would make it. */
export function askHttp(
  socketPath: string,
  method: string,
  path: string,
  { agent, body, headers = {}, token, url }: Ask = {},
): Promise<Reply> {
  const where = url === undefined ? { socketPath } : { host: '127.0.0.1', port: new URL(url).port };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const all = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    accept: 'application/json',
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const options = { ...where, method, path, headers: all, rejectUnauthorized: false, agent };
    const sent = (url?.startsWith('https:') ? requestTls : request)(options, (response) => {
      let answer = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        answer += chunk;
      });
      response.on('end', () => {
        let parsed: unknown;
        try {
          parsed = JSON.parse(answer);
        } catch {
          parsed = undefined;
        }
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: answer, body: parsed });
      });
    });
    sent.on('error', reject);
    sent.end(text);
  });
}
