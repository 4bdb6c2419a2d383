/**
 * Completes a message: some clients leave out what `initialize` must have. orchd does not use it, the SDK demands it.
 */
export function withDefaults(message: unknown): unknown {
  if (!isObject(message) || message['method'] !== 'initialize') return message;
  const params = isObject(message['params']) ? message['params'] : {};
  const missing = { protocolVersion: '', capabilities: {}, clientInfo: { name: 'unknown', version: '0' } };
  return { ...message, params: { ...missing, ...params } };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
