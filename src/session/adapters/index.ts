/** The supported agent programs. To add an agent, add a file and a line here. */
import { basename } from 'node:path';
import { OrchdError } from '../../protocol/index.js';
import { type Adapter, GENERIC } from './adapter.js';
import { claude } from './claude.js';
import { codex } from './codex.js';
import { copilot } from './copilot.js';
import { gemini } from './gemini.js';
import { kilo } from './kilo.js';
import { opencode } from './opencode.js';
import { pi } from './pi.js';
import { qwen } from './qwen.js';

export type * from './adapter.js';
export { GENERIC } from './adapter.js';
export { PLAIN_BATCH } from './batch/plain.js';
export { canBeChosen, isExactDialog, isSameDialog } from './dialogs/same-dialog.js';
export { feedOf, shellCall } from './launch/launch.js';

export const ADAPTERS: readonly Adapter[] = [claude, codex, gemini, opencode, kilo, qwen, copilot, pi];

/** Finds the adapter by the program's file name; `shell` for unknown programs. */
export function adapterOf(program: string): Adapter {
  const name = basename(program);
  return ADAPTERS.find((adapter) => adapter.programs.includes(name)) ?? GENERIC;
}

/** Finds an adapter by its name; null if it does not exist. */
export function adapterNamed(name: string): Adapter | null {
  return [...ADAPTERS, GENERIC].find((adapter) => adapter.name === name) ?? null;
}

/** @throws {OrchdError} ORCHD_ADAPTER_UNKNOWN; the message lists the known adapters. */
export function requireAdapter(name: string): Adapter {
  const adapter = adapterNamed(name);
  if (adapter) return adapter;
  const known = [GENERIC, ...ADAPTERS].map((other) => other.name).join(', ');
  throw new OrchdError('ORCHD_ADAPTER_UNKNOWN', `no adapter '${name}'; known: ${known}`);
}

/** Returns the adapter whose program sets such a window title; null if there is none. */
export function adapterByTitle(title: string): Adapter | null {
  return ADAPTERS.find((adapter) => adapter.screen.title?.test(title)) ?? null;
}
