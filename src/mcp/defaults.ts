/**
 * Adds fields that `initialize` requires and some clients omit. orchd does not use them, but the SDK rejects a message
 * without them.
 */
import { isRecord } from '../protocol/index.js';
export function withDefaults(message: unknown): unknown {
  if (!isRecord(message) || message['method'] !== 'initialize') return message;
  const params = isRecord(message['params']) ? message['params'] : {};
  const missing = { protocolVersion: '', capabilities: {}, clientInfo: { name: 'unknown', version: '0' } };
  return { ...message, params: { ...missing, ...params } };
}
