/** The agent programs that we know. Adding one is a file and a line here. */
import { basename } from 'node:path';
import { GENERIC, type ScreenAdapter } from './adapter.js';
import { claude } from './claude.js';
import { codex } from './codex.js';
import { copilot } from './copilot.js';
import { gemini } from './gemini.js';
import { opencode } from './opencode.js';
import { pi } from './pi.js';
import { qwen } from './qwen.js';

export { GENERIC, type ScreenAdapter } from './adapter.js';

export const ADAPTERS: readonly ScreenAdapter[] = [claude, codex, gemini, opencode, qwen, copilot, pi];

/** By name, or by the file that is started. */
export function adapterOf(program: string): ScreenAdapter {
  const name = basename(program);
  return ADAPTERS.find((adapter) => adapter.name === name || adapter.programs.includes(name)) ?? GENERIC;
}

export function adapterByTitle(title: string): ScreenAdapter | null {
  return ADAPTERS.find((adapter) => adapter.title?.test(title)) ?? null;
}
