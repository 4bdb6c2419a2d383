/** What is said of a TCP port that cannot be had, by the daemon and by who starts one. */

/** The API's only address besides its socket. */
export const LOOPBACK = '127.0.0.1';

/** @param cause  What listening on it failed with. */
export function portProblem(port: number, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'EADDRINUSE') return `port ${port} is taken`;
  if (code === 'EACCES') return `port ${port} is not for this user`;
  return `port ${port} cannot be had: ${cause instanceof Error ? cause.message : String(cause)}`;
}
