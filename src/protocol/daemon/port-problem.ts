/** The message for a TCP port that cannot be opened, used by the daemon and by the command that starts it. */
import { errorMessage } from '../errors.js';

/** The API's only address besides its socket. */
export const LOOPBACK = '127.0.0.1';

/** @param cause  The error that `listen` reported. */
export function portProblem(port: number, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'EADDRINUSE') return `port ${port} is taken`;
  if (code === 'EACCES') return `port ${port} is not for this user`;
  return `port ${port} cannot be had: ${errorMessage(cause)}`;
}
