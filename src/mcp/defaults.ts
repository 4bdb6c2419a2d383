/**
 * Adds fields that `initialize` requires and some clients omit. orchd does not use them, but the SDK rejects a message
 * without them.
 */
export function withDefaults(message: unknown): unknown {
  if (!isObject(message) || message['method'] !== 'initialize') return message;
  const params = isObject(message['params']) ? message['params'] : {};
  const missing = { protocolVersion: '', capabilities: {}, clientInfo: { name: 'unknown', version: '0' } };
  return { ...message, params: { ...missing, ...params } };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
