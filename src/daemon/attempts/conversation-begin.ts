/**
 * Starts an interactive run's session: the agent in its own terminal, with the run's instructions and tools passed by
 * its own flags. The parts that the flags cannot pass on are typed before the prompt (`wordsBefore`).
 */
import { basename } from 'node:path';
import type { RunAggregate } from '../../lifecycle/index.js';
import { asId, OrchdError, type Paths, type RunAttempt, withValues } from '../../protocol/index.js';
import { ORCHD } from '../program/index.js';
import { type Registry, readBeginning } from '../registry/index.js';
import type { Sessions } from '../sessions/index.js';
import { labelOf, shellInstructions } from './attempt-begin.js';
import { requireProgram } from './batch.js';
import type { Environment } from './environments.js';

interface ConversationBeginPorts {
  readonly registry: Registry;
  readonly sessions: Sessions;
}

/** @throws {OrchdError} The error of the program, its directory or its adapter. */
export async function beginConversation(
  { registry, sessions }: ConversationBeginPorts,
  { aggregate, attempt, env }: { aggregate: RunAggregate; attempt: RunAttempt; env: Environment },
): Promise<void> {
  const { run, args, umask } = aggregate;
  const { program, model } = await requireProgram(run.adapter);
  const chosen = model === null || run.model === null ? [] : [model, run.model];
  const command = program === null ? [...args] : [program, ...chosen, ...args];
  const parent = run.parent_session_id === null ? undefined : registry.get(run.parent_session_id);
  const input = {
    command,
    cwd: run.cwd,
    umask,
    adapter: run.adapter,
    env: withValues({ ...env, ORCHD_RUN_ID: run.id }),
  };
  const about = {
    id: asId('session', attempt.session_id),
    runId: run.id,
    label: labelOf(run) ?? basename(command[0] ?? ''),
  };
  const can = { hasTools: aggregate.tools !== undefined, isTaught: true };
  for (;;) {
    const words = await wordsFor(aggregate, can.hasTools);
    const given = {
      ...about,
      ...(can.isTaught && words !== null && { instructions: words }),
      ...(can.hasTools && aggregate.tools && { toolNames: aggregate.tools }),
    };
    try {
      await sessions.start(input, parent ?? null, given);
      return;
    } catch (error) {
      // No program was started, so the run can be tried again.
      const code = error instanceof OrchdError ? error.code : null;
      if (code === 'ORCHD_NO_TOOLS' && can.hasTools) can.hasTools = false;
      else if (code === 'ORCHD_NOT_TAUGHT' && can.isTaught) can.isTaught = false;
      else throw error;
    }
  }
}

/** Returns the instructions to type before the prompt, depending on how the session was started; null for none. */
export async function wordsBefore(paths: Paths, aggregate: RunAggregate, sessionId: string): Promise<string | null> {
  const wish = readBeginning(paths.journalsDir, sessionId)?.note.wish;
  if (wish?.teach !== false) return null;
  return wordsFor(aggregate, wish.toolNames !== undefined);
}

async function wordsFor({ run, tools }: RunAggregate, hasTools: boolean): Promise<string | null> {
  const { shellCall } = await import('../../session/index.js');
  const parts = [run.system, tools === undefined || hasTools ? null : shellInstructions(tools, shellCall(ORCHD))];
  const words = parts.filter((part) => part !== null);
  return words.length === 0 ? null : words.join('\n\n');
}
