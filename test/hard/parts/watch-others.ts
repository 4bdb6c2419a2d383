/**
 * Watches a daemon under attack from the side of the others: how long their requests take, how late their messages
 * come, and how much memory the daemon and the host hold.
 *
 * In:   a home with a running daemon.
 * Out:  `begin` starts one measurement, `end` returns its figures. Watching goes on between measurements.
 */
import { readFileSync } from 'node:fs';
import type { Home } from './home.js';

export interface Figures {
  /** Requests of others: milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** The latest message of another session: milliseconds between printing it and its event. */
  readonly lateMs: number;
  /** Number of requests and messages that were measured. */
  readonly requests: number;
  readonly messages: number;
  /** Highest memory that is not shared: MB. */
  readonly daemonMb: number;
  readonly hostMb: number;
}

export interface Watch {
  begin(): void;
  end(): Promise<Figures>;
  close(): Promise<void>;
}

const PROBE_MS = 25;
const MEMORY_MS = 100;
/** A request that takes longer counts as this long. */
const PATIENCE_MS = 60_000;
/** Prints its own time in a message, again and again. */
const TELLER = `while :; do
  printf '\`\`\`orchestrator-message\\n{"type":"STATUS_UPDATE","data":{"currentStep":"at %s"}}\\n\`\`\`\\n' "$(date +%s%3N)"
  sleep 0.1
done`;

/** Memory that is not shared, in MB; 0 for a process that is gone. */
export function megabytes(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/^RssAnon:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

export async function watchOthers(home: Home): Promise<Watch> {
  const { client } = home;
  const stop = new AbortController();
  const { id } = await client.call('session.start', { command: ['sh', '-c', TELLER], cwd: '/', name: 'teller' });
  const status = await client.call('daemon.status', {});
  const pids = { daemon: status.daemon.pid, host: status.host.pid };
  let took: number[] = [];
  let late: number[] = [];
  let peak = { daemon: 0, host: 0 };
  let problem: unknown = null;
  /** When the newest message was printed. */
  let newest = Date.now();
  let wake = (): void => {};

  const probing = (async () => {
    while (!stop.signal.aborted) {
      const since = performance.now();
      try {
        await client.call('inbox.list', {}, { timeoutMs: PATIENCE_MS });
      } catch (error) {
        if (!stop.signal.aborted) problem ??= error;
      }
      took.push(performance.now() - since);
      await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
    }
  })();
  const hearing = (async () => {
    try {
      for await (const event of client.events({ follow: true, session: id, signal: stop.signal })) {
        if (event.event_type !== 'message') continue;
        const at = Number(/at (\d{13})/.exec(JSON.stringify(event))?.[1] ?? 0);
        if (at === 0) continue;
        late.push(Date.now() - at);
        newest = at;
        wake();
      }
    } catch (error) {
      if (!stop.signal.aborted) problem ??= error;
    }
  })();
  const measuring = setInterval(() => {
    peak = {
      daemon: Math.max(peak.daemon, megabytes(pids.daemon)),
      host: Math.max(peak.host, megabytes(pids.host)),
    };
  }, MEMORY_MS);

  return {
    begin() {
      took = [];
      late = [];
      peak = { daemon: 0, host: 0 };
    },
    async end() {
      // What was printed until now has to arrive: otherwise the latest message would not be counted.
      const now = Date.now();
      const limit = setTimeout(() => wake(), PATIENCE_MS);
      while (newest < now && Date.now() - now < PATIENCE_MS) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      clearTimeout(limit);
      if (problem !== null) throw problem;
      const { daemon } = await client.call('daemon.status', {}, { timeoutMs: PATIENCE_MS });
      if (daemon.pid !== pids.daemon) throw new Error('the daemon was replaced');
      const sorted = [...took].sort((a, b) => a - b);
      const at = (share: number): number => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
      return {
        ...{ p50: at(0.5), p99: at(0.99), max: at(1), lateMs: Math.max(0, ...late) },
        ...{ requests: took.length, messages: late.length, daemonMb: peak.daemon, hostMb: peak.host },
      };
    },
    async close() {
      stop.abort();
      clearInterval(measuring);
      await Promise.all([probing, hearing]);
      await client.call('session.kill', { session: id }).catch(() => {});
    },
  };
}
