/**
 * Disk brake: pauses the sessions that print most while the disk has less free space than its floor. The daemon does
 * not read a paused session, so the host reads at most FLOW_WINDOW_BYTES more of it, and then its program blocks. Each
 * check pauses the session that prints most. Each check with enough free space resumes one. Sessions that print little
 * are never paused. Checks take place while journals grow or a session is paused; otherwise there is no timer.
 */
import { timestamp } from '../../lifecycle/index.js';
import type { DiskReport } from '../../protocol/index.js';
import type { EventBus, Outbox } from '../events/index.js';
import type { Log } from '../log.js';
import type { Registry } from '../registry/index.js';
import type { DiskWatch } from './disk-watch.js';
import type { JournalLoads } from './journal-loads.js';

interface DiskBrakePorts {
  readonly report: () => Pick<DiskReport, 'state' | 'free_bytes' | 'floor_bytes'>;
  /** The running sessions, and how fast their journals grow. */
  readonly rates: () => readonly { readonly sessionId: string; readonly bytesPerSecond: number }[];
  /** Called when a session was paused or resumed. `count`: number of sessions that are paused now. */
  readonly onChange: (sessionId: string, isPaused: boolean, count: number) => void;
}

export interface DiskBrake {
  /** Called when a journal has grown. */
  grew(): void;
  /** Returns null if the session may be read, otherwise a promise that resolves when it may. */
  whenFree(sessionId: string): Promise<void> | null;
  /** Resumes a session that ends: its remaining output is read even if the disk is full. */
  release(sessionId: string): void;
  /** Resumes all sessions, because the daemon stops. */
  close(): void;
}

const LOOK_MS = 500;
/** Minimum rate of a session that may be paused. A session that prints less does not fill a disk soon. */
const LOUD_BYTES_PER_SECOND = 64 * 1024;
/**
 * Sessions are resumed when this multiple of the minimum space is free. Otherwise they would be paused again at once.
 */
const SLACK = 1.25;

export function createDiskBrake({ report, rates, onChange }: DiskBrakePorts): DiskBrake {
  const paused = new Map<string, { readonly promise: Promise<void>; readonly resolve: () => void }>();
  const exempt = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  function pause(sessionId: string): void {
    let resolve = (): void => {};
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    paused.set(sessionId, { promise, resolve });
    onChange(sessionId, true, paused.size);
  }

  function goOn(sessionId: string): void {
    const one = paused.get(sessionId);
    if (!one) return;
    paused.delete(sessionId);
    one.resolve();
    onChange(sessionId, false, paused.size);
  }

  function look(): void {
    timer = null;
    const { state, free_bytes: free, floor_bytes: floor } = report();
    if (state !== 'ok') {
      const [loudest] = rates()
        .filter(({ sessionId }) => !paused.has(sessionId) && !exempt.has(sessionId))
        .sort((a, b) => b.bytesPerSecond - a.bytesPerSecond);
      if (loudest && loudest.bytesPerSecond >= LOUD_BYTES_PER_SECOND) pause(loudest.sessionId);
    } else if (free >= floor * SLACK) {
      const last = [...paused.keys()].at(-1);
      if (last !== undefined) goOn(last);
    }
    if (paused.size > 0) arm();
  }

  function arm(): void {
    if (isClosed) return;
    timer ??= setTimeout(look, LOOK_MS).unref();
  }

  return {
    grew: arm,
    whenFree: (sessionId) => paused.get(sessionId)?.promise ?? null,
    release(sessionId) {
      exempt.add(sessionId);
      goOn(sessionId);
    },
    close() {
      isClosed = true;
      if (timer) clearTimeout(timer);
      for (const sessionId of [...paused.keys()]) goOn(sessionId);
    },
  };
}

/**
 * Creates the brake of a daemon. Its actions are recorded as `session_paused` (`disk_low`) and `session_resumed`, and
 * shown in the status.
 */
export function brakeFor(ports: {
  readonly disk: DiskWatch;
  readonly loads: JournalLoads;
  readonly registry: Registry;
  readonly outbox: Outbox;
  readonly bus: EventBus;
  readonly log: Log;
  readonly now: () => number;
}): DiskBrake {
  const { disk, loads, registry, outbox, bus, log, now } = ports;
  return createDiskBrake({
    report: disk.report,
    rates: () =>
      [...registry.entries].flatMap(({ id, reader, hasEnded }) =>
        hasEnded || !reader
          ? []
          : [{ sessionId: id, bytesPerSecond: loads.of(id, reader.position + reader.bytesBehind).bytes_per_second }],
      ),
    onChange(sessionId, isPaused, count) {
      disk.setPaused(count);
      log.info(isPaused ? 'a session waits for disk space' : 'a session goes on', { session_id: sessionId });
      const about = { timestamp: timestamp(now()), session_id: sessionId };
      const event = isPaused
        ? { event_type: 'session_paused', ...about, reason: 'disk_low' }
        : { event_type: 'session_resumed', ...about };
      void outbox.commit({ events: [event] }, (committed) => bus.publish([event], committed));
    },
  });
}
