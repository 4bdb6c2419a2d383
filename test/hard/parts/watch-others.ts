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
  /** Durations of other clients' requests, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /**
   * The 99th percentile without the time in which the daemon, or this process, waited for a core. The rest of the
   * machine's work changes it little.
   */
  readonly ownP99: number;
  /** The delay of the latest message of another session, in milliseconds from its output to its event. */
  readonly lateMs: number;
  /** The same without the time in which the daemon waited for a core. */
  readonly ownLateMs: number;
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
/** How often the daemon's waits for a core are noted, for messages that are on their way. */
const NOTE_MS = 10;
/** Number of notes that are kept: one minute. */
const MAX_NOTES = 6_000;
/** A request that takes longer counts with this duration. */
const PATIENCE_MS = 60_000;
/** Prints the current time in a message, again and again. */
const TELLER = `while :; do
  printf '\`\`\`orchestrator-message\\n{"type":"STATUS_UPDATE","data":{"currentStep":"at %s"}}\\n\`\`\`\\n' "$(date +%s%3N)"
  sleep 0.1
done`;

/** Returns the unshared memory of a process in MB; 0 if it is gone. */
export function megabytes(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/^RssAnon:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

/** Returns how long the main thread of a process has waited for a core, in milliseconds; 0 where Linux does not say. */
function waitedMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
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
  let took: { readonly ms: number; readonly ownMs: number }[] = [];
  let late: { readonly ms: number; readonly ownMs: number }[] = [];
  let notes: { readonly at: number; readonly waited: number }[] = [];
  let peak = { daemon: 0, host: 0 };
  let problem: unknown = null;
  /** When the newest message was printed. */
  let newest = Date.now();
  let wake = (): void => {};

  const probing = (async () => {
    while (!stop.signal.aborted) {
      const [since, waited] = [performance.now(), waitedMs(pids.daemon) + waitedMs(process.pid)];
      try {
        await client.call('inbox.list', {}, { timeoutMs: PATIENCE_MS });
      } catch (error) {
        if (!stop.signal.aborted) problem ??= error;
      }
      const ms = performance.now() - since;
      took.push({ ms, ownMs: ms - (waitedMs(pids.daemon) + waitedMs(process.pid) - waited) });
      await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
    }
  })();
  const hearing = (async () => {
    try {
      for await (const event of client.events({ follow: true, session: id, signal: stop.signal })) {
        if (event.event_type !== 'message') continue;
        const at = Number(/at (\d{13})/.exec(JSON.stringify(event))?.[1] ?? 0);
        if (at === 0) continue;
        const ms = Date.now() - at;
        const then = notes.find((note) => note.at >= at)?.waited ?? waitedMs(pids.daemon);
        late.push({ ms, ownMs: ms - (waitedMs(pids.daemon) - then) });
        newest = at;
        wake();
      }
    } catch (error) {
      if (!stop.signal.aborted) problem ??= error;
    }
  })();
  const noting = setInterval(() => {
    notes.push({ at: Date.now(), waited: waitedMs(pids.daemon) });
    if (notes.length > 2 * MAX_NOTES) notes = notes.slice(-MAX_NOTES);
  }, NOTE_MS);
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
      // Waits for all messages that were printed so far. Otherwise the latest one would not be counted.
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
      const all = took.map(({ ms }) => ms);
      const ownP99 = percentile(
        took.map(({ ownMs }) => ownMs),
        0.99,
      );
      return {
        p50: percentile(all, 0.5),
        p99: percentile(all, 0.99),
        max: percentile(all, 1),
        ownP99,
        lateMs: Math.max(0, ...late.map(({ ms }) => ms)),
        ownLateMs: Math.round(Math.max(0, ...late.map(({ ownMs }) => ownMs))),
        requests: took.length,
        messages: late.length,
        daemonMb: peak.daemon,
        hostMb: peak.host,
      };
    },
    async close() {
      stop.abort();
      clearInterval(measuring);
      clearInterval(noting);
      await Promise.all([probing, hearing]);
      await client.call('session.kill', { session: id }).catch(() => {});
    },
  };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
}
