/** JSON-RPC 2.0, the parts that MCP needs: parsing messages and building replies. */
export type RpcId = string | number;

export type RpcMessage =
  | { readonly kind: 'request'; readonly id: RpcId; readonly method: string; readonly params: RpcParams }
  | { readonly kind: 'notification'; readonly method: string; readonly params: RpcParams }
  /** A reply. It is ignored, because this server sends no requests. */
  | { readonly kind: 'reply' }
  | { readonly kind: 'invalid' };

export type RpcParams = Readonly<Record<string, unknown>>;

export const RPC_ERRORS = {
  parse: -32_700,
  invalid: -32_600,
  method: -32_601,
  params: -32_602,
  internal: -32_603,
} as const;

export function readRpc(value: unknown): RpcMessage {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return { kind: 'invalid' };
  const { id, method } = value;
  if (method === undefined) return 'result' in value || 'error' in value ? { kind: 'reply' } : { kind: 'invalid' };
  if (typeof method !== 'string') return { kind: 'invalid' };
  const params = isObject(value['params']) ? value['params'] : {};
  if (id === undefined) return { kind: 'notification', method, params };
  if (typeof id !== 'string' && typeof id !== 'number') return { kind: 'invalid' };
  return { kind: 'request', id, method, params };
}

export const rpcResult = (id: RpcId, result: object): object => ({ jsonrpc: '2.0', id, result });

export function rpcError(id: RpcId | null, error: keyof typeof RPC_ERRORS, message: string): object {
  return { jsonrpc: '2.0', id, error: { code: RPC_ERRORS[error], message } };
}

export const rpcNotification = (method: string, params: object): object => ({ jsonrpc: '2.0', method, params });

export function isObject(value: unknown): value is RpcParams {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
