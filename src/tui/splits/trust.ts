/**
 * Remembers the commands of layout files that a person has agreed to. A cloned repository may contain a layout, and an
 * agent may write one: `orchd up` starts a command only after the person has seen it.
 *
 * Kept in `trusted-layouts.json` in the state directory: for each layout file the digests of its sessions. A session
 * whose command, directory, adapter or environment is changed is asked about again; a changed split or tag is not.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LayoutSession } from './layout-file.js';

export interface LayoutTrust {
  /** Returns the sessions of a layout that the person has not agreed to. */
  untrusted(file: string, sessions: readonly LayoutSession[]): readonly LayoutSession[];
  /** Notes that the person has agreed to these. Those that the layout no longer has are forgotten. */
  trust(file: string, agreed: readonly LayoutSession[], all: readonly LayoutSession[]): void;
}

type Digests = Readonly<Record<string, readonly string[]>>;

/** Returns functions that read and change the trusted commands in the state directory. */
export function layoutTrust(stateDir: string): LayoutTrust {
  const place = join(stateDir, 'trusted-layouts.json');
  return {
    untrusted(file, sessions) {
      const known = new Set(read(place)[file] ?? []);
      return sessions.filter((session) => !known.has(digestOf(session)));
    },
    trust(file, agreed, all) {
      const before = read(place);
      const current = new Set(all.map(digestOf));
      const kept = (before[file] ?? []).filter((digest) => current.has(digest));
      const next = { ...before, [file]: [...new Set([...kept, ...agreed.map(digestOf)])] };
      mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
      // The file is written beside its place and then renamed, so that a reader never sees a part of it.
      writeFileSync(`${place}.${process.pid}`, JSON.stringify(next), { mode: 0o600 });
      renameSync(`${place}.${process.pid}`, place);
    },
  };
}

function digestOf({ name, command, cwd, adapter, isTaught, env }: LayoutSession): string {
  const what = [name, command, cwd, adapter, isTaught, Object.entries(env).sort()];
  return createHash('sha256').update(JSON.stringify(what)).digest('hex');
}

/** A file that is missing or damaged trusts nothing. */
function read(place: string): Digests {
  try {
    const value: unknown = JSON.parse(readFileSync(place, 'utf8'));
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter(([, digests]) => Array.isArray(digests)));
  } catch {
    return {};
  }
}
