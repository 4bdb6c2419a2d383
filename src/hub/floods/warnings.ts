/** Names the machines that send too much, in words for the person. */
import type { Flood } from './floods.js';

interface Excess {
  /** The machines whose commands were left unread. */
  readonly commands: readonly Flood[];
  /** The machines whose work for labels was removed. */
  readonly work: readonly Flood[];
  /** The machines of which not all sessions, and not all open items, are known here. */
  readonly sessions: readonly string[];
  readonly items: readonly string[];
}

/** Returns one sentence for each machine that sends too much. */
export function floodWarnings({ commands, work, sessions, items }: Excess): string[] {
  return [
    ...commands.map(({ machine, count }) => `'${machine}' sends too many commands: ${count} were left unread`),
    ...work.map(({ machine, count }) => `'${machine}' offers goals that no machine takes: ${count} were removed`),
    ...sessions.map((machine) => `'${machine}' has too many sessions: not all are shown`),
    ...items.map((machine) => `'${machine}' has too many open items: not all are shown`),
  ];
}
