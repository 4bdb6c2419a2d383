/** The addresses under which browsers on other devices reach the dashboard, as texts of the configuration. */

export interface ListenAddress {
  /** An IP address or `localhost`. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

const LISTEN = /^(?:\[([0-9a-f:.]+)\]|(\d{1,3}(?:\.\d{1,3}){3}|localhost)):(\d{1,5})$/i;

/** Parses `ADDRESS:PORT`, for example `0.0.0.0:8443` or `[::]:8443`. */
export function parseListen(text: string): ListenAddress | null {
  const [, v6, other, port] = LISTEN.exec(text) ?? [];
  const host = v6 ?? other;
  return host === undefined || Number(port) > 65_535 ? null : { host, port: Number(port) };
}

/** True for `localhost` and for IP addresses of the loopback interface. An IPv6 address has no brackets. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);

const PROXY = /^https:\/\/((?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?)\/?$/i;

/**
 * Parses the address of a reverse proxy with TLS. The dashboard needs an origin of its own, so it has no path.
 * @returns The Host header that browsers send to it; null for another text.
 */
export function parseProxy(text: string): string | null {
  const host = PROXY.exec(text)?.[1];
  return host === undefined ? null : host.toLowerCase().replace(/:443$/, '');
}
