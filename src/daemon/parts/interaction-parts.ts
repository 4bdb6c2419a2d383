/** Builds the parts between people and programs: typing, answers, tool calls, hooks, notifications, terminals. */
import { parseQuietHours } from '../../protocol/index.js';
import { Answers, IdleWatch, Typist } from '../answers/index.js';
import { Hooks } from '../hooks/index.js';
import { localClock, Notifier } from '../notify/index.js';
import { screensAround } from '../sessions/index.js';
import { Terminals } from '../terminals/index.js';
import { ToolMessages } from '../tools/index.js';
import { Transcripts } from '../transcripts/index.js';
import type { Base } from './base.js';
import type { RegistryParts } from './registry-parts.js';
import type { Storage } from './storage.js';

export type InteractionParts = ReturnType<typeof createInteractionParts>;

/** Creates the parts between people and programs from the parts that were built earlier. */
export function createInteractionParts(earlier: Base & Storage & RegistryParts) {
  const { paths, log, config, lifetime, now, registry, notices, outbox, host, screenOf, runCollection: runs } = earlier;
  const { name_questions: namesQuestions, stall_ms: stallMs, tool_grace_ms: graceMs } = config.sessions;
  const clocks = { now, monotonicNow: () => performance.now() };
  const terminals = new Terminals({ paths, screenOf, host, log });
  const typist = new Typist({
    host,
    log,
    repaint: (entry) => terminals.repaint(entry),
    screensAround: (entry, writeId) => screensAround(paths, entry, writeId),
    ...clocks,
    pause: (entry, withinMs) => entry.whenOutputRead(withinMs),
  });
  const answers = new Answers({ registry, outbox, host, typist, log, namesQuestions, stallMs, ...clocks });
  const messages = new ToolMessages({ registry, outbox, host, typist, log, now, namesQuestions, graceMs, runs });
  const hooks = new Hooks({ registry, messages, host, log, now });
  const notifier = new Notifier({
    rules: { afterMs: config.notify.after_ms, quiet: parseQuietHours(config.notify.quiet) },
    quietHours: config.notify.quiet,
    command: config.notify.command,
    timeoutMs: config.notify.timeout_ms,
    env: process.env,
    socketPath: paths.socket,
    log,
    clock: localClock,
  });
  const transcripts = new Transcripts({ now, paths, host, log });
  const idleWatch = new IdleWatch({ now, host });
  notices.item.subscribe((item, entry) => {
    answers.onItem(item, entry);
    messages.onItem(item, entry);
    hooks.wake(entry);
    notifier.onItem(item, entry);
  });
  notices.effect.subscribe((effect, entry) => {
    if (effect.kind === 'called') messages.onCalled(effect, entry);
    else if (effect.kind === 'asks') hooks.wake(entry);
    else answers.carryOut(effect, entry);
  });
  notices.end.subscribe((entry) => {
    messages.onEnd(entry);
    hooks.wake(entry);
    terminals.onEnd(entry);
  });
  for (const part of [notifier, idleWatch, hooks]) lifetime.onStop(() => part.close());
  for (const part of [typist, messages, answers]) lifetime.onClose(() => part.close());
  return { typist, answers, messages, hooks, notifier, terminals, transcripts, idleWatch };
}
