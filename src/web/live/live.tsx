/** Gives the pages the API, the connection's state, the device, and the events as they come. */
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import {
  type Event,
  type GapEvent,
  type InputOf,
  type OperationName,
  OrchdError,
  type OutputOf,
  type WebDevice,
} from '../../protocol/index.js';
import { type Api, createApi } from './api.js';
import { type Connection, followEvents } from './event-socket.js';
import { createFreshener, type Subject } from './freshen.js';

export interface Live {
  readonly api: Api;
  readonly token: string;
  readonly device: WebDevice;
  readonly connection: Connection;
  /** The newest event when the page began. */
  readonly beganAt: number | null;
  /** Calls a listener for every event. Returns a function that removes it. */
  onEvent(listener: (event: Event | GapEvent) => void): () => void;
}

const Context = createContext<Live | null>(null);

export function useLive(): Live {
  const live = useContext(Context);
  if (!live) throw new Error('useLive is called outside of LiveProvider');
  return live;
}

interface LiveProviderProps {
  readonly token: string;
  readonly device: WebDevice;
  readonly onRefused: () => void;
  readonly children: ReactNode;
}

const socketUrl = (path: string): string => `${location.protocol.replace('http', 'ws')}//${location.host}${path}`;

export function LiveProvider({ token, device, onRefused, children }: LiveProviderProps) {
  const [connection, setConnection] = useState<Connection>('connecting');
  const [beganAt, setBeganAt] = useState<number | null>(null);
  const queries = useMemo(createQueries, []);
  const api = useMemo(() => createApi(token, onRefused), [token, onRefused]);
  const listeners = useMemo(() => new Set<(event: Event | GapEvent) => void>(), []);
  useEffect(() => {
    const freshen = createFreshener(queries);
    return followEvents({
      url: socketUrl('/api/events'),
      token,
      onConnection: setConnection,
      // What was loaded before the stream began may miss events.
      onBegin: ({ last_seq }) => {
        setBeganAt(last_seq);
        void queries.invalidateQueries();
      },
      onReset: () => void queries.resetQueries(),
      onEvent: (event) => {
        freshen(event);
        for (const listener of listeners) listener(event);
      },
      onRefused,
    });
  }, [token, queries, listeners, onRefused]);
  const live = useMemo<Live>(
    () => ({
      ...{ api, token, device, connection, beganAt },
      onEvent(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    }),
    [api, token, device, connection, beganAt, listeners],
  );
  return (
    <Context.Provider value={live}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </Context.Provider>
  );
}

/** Events tell what is old, so nothing becomes old by time. */
function createQueries(): QueryClient {
  const isAway = (error: Error): boolean =>
    error instanceof OrchdError && ['ORCHD_DAEMON_UNREACHABLE', 'ORCHD_CATCHING_UP'].includes(error.code);
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        networkMode: 'always',
        retry: (count, error) => isAway(error) && count < 30,
        retryDelay: (count) => Math.min(2_000, 200 * 2 ** count),
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** Loads what an operation returns, and loads it anew when events change it. */
export function useOperation<N extends OperationName>(
  subject: readonly [Subject, ...string[]],
  name: N,
  input: InputOf<N>,
  isEnabled = true,
) {
  const { api } = useLive();
  return useQuery<OutputOf<N>>({
    queryKey: [...subject, name, input],
    queryFn: ({ signal }) => api.call(name, input, signal),
    enabled: isEnabled,
    placeholderData: (earlier) => earlier,
  });
}
