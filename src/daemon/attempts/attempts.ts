/**
 * Attempts: starts or finds the session of each, and passes its result to the run.
 *
 * In:   orders of the run's decisions; sessions that have ended.
 * Out:  `ended` or `not_started`, once for each attempt.
 *
 *     without a terminal     the attempt ends with its session
 *     interactive            it ends with the agent's turn, or with the session if that is earlier
 */
import type { AttemptEnd, RunAggregate, RunInput } from '../../lifecycle/index.js';
import { errorMessage, OrchdError, type RunAttempt, type RunError } from '../../protocol/index.js';
import type { Log } from '../log.js';
import { asksIn, questionsIn } from './asked.js';
import { type AttemptBeginPorts, beginAttempt } from './attempt-begin.js';
import { type AttemptEndPorts, readAttemptEnd } from './attempt-end.js';
import {
  type ConversationAbout,
  type ConversationPorts,
  converse,
  endedConversation,
  openConversation,
  writeIdOf,
} from './conversation.js';
import { environmentOf } from './environments.js';

interface AttemptsPorts extends AttemptBeginPorts, AttemptEndPorts, ConversationPorts {
  readonly log: Log;
  readonly killGraceMs: number;
  /** Returns the decided aggregate; undefined if there is none, and when the daemon stops. */
  readonly aggregate: (id: string) => RunAggregate | undefined;
  readonly apply: (id: string, input: RunInput) => Promise<void>;
  /** Called when a run's session exists. */
  readonly onSession: (id: string) => void;
  readonly cancelChildren: (sessionId: string) => void;
}

const NOTHING_SAID: Omit<AttemptEnd, 'exitCode' | 'error'> = {
  text: null,
  agentSessionId: null,
  usage: null,
  limit: null,
  verdict: null,
};

/** Starts the session of each attempt of a run, and reports the result of the attempt once. */
export class Attempts {
  readonly #ports: AttemptsPorts;

  constructor(ports: AttemptsPorts) {
    this.#ports = ports;
  }

  /**
   * Starts the session of a run's last attempt, unless a previous daemon has started it.
   * @param resume The conversation to resume.
   */
  async begin(id: string, resume: string | null): Promise<void> {
    const { registry, paths, now, aggregate: aggregateOf, onSession } = this.#ports;
    const aggregate = aggregateOf(id);
    const attempt = aggregate?.run.attempts.at(-1);
    if (!aggregate || !attempt) return;
    const known = registry.get(attempt.session_id);
    // If the session's end is not on disk yet, `evaluate` is called as soon as it is.
    if (known && known.view.ended_at !== null) return this.evaluate(id);
    if (known && !aggregate.interactive) return;
    // Texts from other clients are typed after the run's prompt.
    const release = aggregate.interactive
      ? this.#ports.typist.reserve(attempt.session_id, writeIdOf(aggregate.run, attempt))
      : () => {};
    try {
      const env = await environmentOf(paths, id);
      if (aggregate.interactive) await openConversation(this.#ports, { aggregate, attempt }, env);
      else await beginAttempt(this.#ports, { aggregate, attempt, resume, env });
      onSession(id);
      if (aggregate.interactive) void this.#converse(id, { aggregate, attempt, onAsked: release }).finally(release);
      // The run was cancelled while its session was being started.
      const { ending, endedBy } = aggregateOf(id) ?? {};
      if (ending) await this.kill(attempt.session_id, endedBy);
    } catch (error) {
      release();
      await this.#ports.apply(id, { kind: 'not_started', error: startError(error), time: now() });
    }
  }

  /** @param by  The client or the session that has cancelled its run. */
  async kill(sessionId: string, by?: string): Promise<void> {
    const { registry, sessions, killGraceMs, log, cancelChildren } = this.#ports;
    cancelChildren(sessionId);
    const entry = registry.get(sessionId);
    if (!entry || entry.hasEnded) return;
    await sessions.kill(entry, killGraceMs, by ?? null, by !== undefined).catch((error: unknown) => {
      if (!entry.hasEnded) log.error('the program of a run was not killed', error, { session_id: sessionId });
    });
  }

  /** Handles the end of the session of a run's last attempt. */
  async evaluate(id: string): Promise<void> {
    const { registry, log, now, aggregate: aggregateOf } = this.#ports;
    const aggregate = aggregateOf(id);
    const attempt = aggregate?.run.attempts.at(-1);
    const entry = attempt && registry.get(attempt.session_id);
    if (!aggregate || !attempt || !entry) return;
    let end: AttemptEnd;
    let isLast = false;
    try {
      end = aggregate.interactive
        ? await endedConversation(this.#ports, { aggregate, attempt })
        : await readAttemptEnd(this.#ports, aggregate.run, entry.view);
      // An agent in a terminal reports its usage in its transcript.
      const used = aggregate.interactive ? null : end.usage;
      if (used !== null) await entry.apply({ kind: 'used', usage: used, limit: null, time: now() });
      isLast = questionsIn(registry, entry).length > 0 && (await asksIn(aggregate.run, end.text));
    } catch (error) {
      log.error('what a run has printed cannot be read', error, { session_id: entry.id });
      end = {
        ...NOTHING_SAID,
        exitCode: entry.view.exit_code,
        error: { error: 'AgentError', message: errorMessage(error) },
      };
    }
    // Includes answers that were given while the journal was read.
    const questions = questionsIn(registry, entry);
    await this.#end(id, attempt, questions.length === 0 ? end : { ...end, asked: { questions, isLast } });
  }

  /** Ends the attempt with the agent's turn. The end of the session is handled by `evaluate`. */
  async #converse(id: string, about: ConversationAbout): Promise<void> {
    const { log, registry } = this.#ports;
    const { session_id: sessionId } = about.attempt;
    try {
      const end = await converse(this.#ports, about, () => this.#isLast(id, about.attempt));
      if (end) await this.#end(id, about.attempt, end);
    } catch (error) {
      if (registry.get(sessionId)?.hasEnded || !this.#isLast(id, about.attempt)) return;
      log.error('a run’s prompt could not be typed, or what came of it not be read', error, { session_id: sessionId });
      const failure = { error: 'AgentError', message: errorMessage(error) };
      await this.#end(id, about.attempt, { ...NOTHING_SAID, exitCode: null, error: failure });
    }
  }

  async #end(id: string, attempt: RunAttempt, end: AttemptEnd): Promise<void> {
    if (!this.#isLast(id, attempt)) return; // it was already reported
    const { registry, now, apply, aggregate } = this.#ports;
    const nextSessionId = aggregate(id)?.interactive ? attempt.session_id : registry.newId();
    await apply(id, { kind: 'ended', end, nextSessionId, time: now() });
  }

  /** True if the attempt is the run's last one and is not over. */
  #isLast(id: string, { number }: RunAttempt): boolean {
    const last = this.#ports.aggregate(id)?.run.attempts.at(-1);
    return last?.number === number && last.ended_at === null;
  }
}

/** Returns the error of a run that could not be started. */
export const startError = (error: unknown): RunError => ({
  error: 'AgentStartError',
  message: errorMessage(error),
  ...(error instanceof OrchdError && { code: error.code }),
});
