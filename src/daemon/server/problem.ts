/** Converts the error of a request to an OrchdError, and parses the parts of its URL. */
import { MAX_BODY_BYTES, OrchdError } from '../../protocol/index.js';

const MAX_TOLD_CHARS = 200;
const MIB = 1024 * 1024;

export function toOrchdError(error: unknown): OrchdError {
  if (error instanceof OrchdError) return error;
  const { code, message, statusCode } = error as { code?: string; message?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new OrchdError('ORCHD_TOO_LARGE', `the body has more than ${MAX_BODY_BYTES / MIB} MiB`);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new OrchdError('ORCHD_INVALID', 'the body must be JSON, with content-type: application/json');
  }
  if (statusCode !== undefined && statusCode < 500)
    return new OrchdError('ORCHD_INVALID', message ?? 'the request is not valid');
  return new OrchdError('ORCHD_INTERNAL', message ?? 'an unknown error', undefined, error);
}

/** @throws {OrchdError} ORCHD_INVALID for a request target that is no URL, such as `//x:99999`. */
export function urlOf(target: string): URL {
  try {
    return new URL(target, 'http://localhost');
  } catch {
    throw new OrchdError('ORCHD_INVALID', `'${target.slice(0, MAX_TOLD_CHARS)}' is not a path of a URL`);
  }
}

/** @throws {OrchdError} ORCHD_INVALID */
export function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new OrchdError(
      'ORCHD_INVALID',
      `'${part}' is not a part of a URL: a % must be followed by two hexadecimal digits`,
    );
  }
}
