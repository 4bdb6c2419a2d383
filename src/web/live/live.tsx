/** Gives the pages the API, the connection's state, the device, and the stream of events. */
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
import { Channels } from './channels.js';
import { type Connection, followEvents } from './event-socket.js';
import { createReloader, reload, type Subject } from './reload-changed.js';

interface Live {
  readonly api: Api;
  readonly token: string;
  readonly device: WebDevice;
  readonly connection: Connection;
  /** The terminals of the page. */
  readonly channels: Channels;
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
  const channels = useMemo(() => new Channels(), []);
  const listeners = useMemo(() => new Set<(event: Event | GapEvent) => void>(), []);
  useEffect(() => {
    const freshen = createReloader((key) => reload(queries, key));
    return followEvents({
      url: socketUrl('/api/events'),
      token,
      channels,
      onConnection: setConnection,
      // Data that was loaded before the stream began may lack events.
      onBegin: ({ last_seq }) => {
        setBeganAt(last_seq);
        void reload(queries, []);
      },
      onReset: () => void queries.resetQueries(),
      onEvent: (event) => {
        freshen(event);
        for (const listener of listeners) listener(event);
      },
      onRefused,
    });
  }, [token, queries, channels, listeners, onRefused]);
  const live = useMemo<Live>(
    () => ({
      api,
      token,
      device,
      connection,
      channels,
      beganAt,
      onEvent(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    }),
    [api, token, device, connection, channels, beganAt, listeners],
  );
  return (
    <Context.Provider value={live}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </Context.Provider>
  );
}

/** Events tell which data is stale, so data does not become stale by its age. */
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

/** Calls an operation, and calls it again when an event changes its result. */
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
