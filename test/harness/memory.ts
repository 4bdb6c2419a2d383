/** The memory of processes, sampled from /proc. */
import { readFileSync } from 'node:fs';

export interface MemoryWatch {
  /** Stops watching. Returns the highest total of all processes at one moment, in MiB. */
  stop(): number;
}

const SAMPLE_MS = 100;

/** Proportional set size: memory that processes share counts once. A process that is gone has none. */
export function pssMib(pid: number): number {
  try {
    const found = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
    return Number(found?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

export function watchMemory(pids: readonly number[]): MemoryWatch {
  let most = 0;
  const sample = () => {
    most = Math.max(
      most,
      pids.reduce((sum, pid) => sum + pssMib(pid), 0),
    );
  };
  sample();
  const timer = setInterval(sample, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      sample();
      return most;
    },
  };
}
