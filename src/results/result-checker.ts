/**
 * The checker: checks schemas, values and agents' texts in a separate thread with a time limit.
 *
 * In:   a schema, and a value or a text.
 * Out:  a verdict. If a check takes longer than the limit, only that check fails: the thread is replaced, and the next
 *       thread handles the waiting checks.
 * Checks with a schema that took too long before come after all others, so that they hold up others at most once.
 * The first check starts the thread. It ends after IDLE_MS without a check.
 */
import type { Worker } from 'node:worker_threads';
import type { SchemaError } from '../protocol/index.js';
import { startWorker, workerBundle } from '../threads/index.js';
import { READY, type Reply, type Request } from './checker-messages.js';
import { isPlainlyGood } from './plain-schema.js';
import type { PossibleEcho } from './possible-echo.js';
import type { Verdict } from './verdict.js';

export interface ResultChecker {
  /** Returns the errors of a schema with their paths; [] for a valid schema. */
  checkSchema(schema: unknown): Promise<readonly SchemaError[]>;
  /** Checks a value against a valid schema. */
  checkValue(value: unknown, schema: unknown): Promise<Verdict>;
  /**
   * Checks the result in an agent's final text against a valid schema.
   *
   * @param echo The prompt, whose text is not a result: neither its echo nor a quote of it.
   */
  checkText(text: string, schema: unknown, echo?: PossibleEcho | null): Promise<Verdict>;
  close(): Promise<void>;
}

interface ResultCheckerOptions {
  /** Maximum milliseconds for one check. */
  readonly limitMs?: number;
}

/** A text of some megabytes takes one second. A pattern that takes longer would hardly ever end. */
const LIMIT_MS = 5_000;
const IDLE_MS = 30_000;
const MAX_SLOW_SCHEMAS = 100;
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 } as const;

interface Question {
  readonly request: Request;
  readonly resolve: (answer: Verdict) => void;
}

/**
 * Creates a checker.
 *
 * @param limitMs  Maximum time of one check, in milliseconds. Default: LIMIT_MS.
 */
export function createResultChecker({ limitMs = LIMIT_MS }: ResultCheckerOptions = {}): ResultChecker {
  let worker: Worker | null = null;
  let waiting: Question[] = [];
  let current: Question | null = null;
  let timer: NodeJS.Timeout | undefined;
  let nextId = 0;
  /** Schemas whose check took too long, as JSON. */
  const slow = new Set<string>();

  const ask = (
    what: Request['what'],
    schema: unknown,
    given: string,
    echo: PossibleEcho | null = null,
  ): Promise<Verdict> =>
    new Promise((resolve) => {
      waiting.push({ request: { id: nextId++, schema: JSON.stringify(schema), what, given, echo }, resolve });
      if (!current) next();
    });

  function next(): void {
    clearTimeout(timer);
    const first = waiting.findIndex(({ request }) => !slow.has(request.schema));
    [current = null] = waiting.splice(Math.max(0, first), 1);
    if (!current) {
      worker?.unref();
      timer = setTimeout(() => void stop(), IDLE_MS).unref();
    } else if (worker) begin();
    else worker = start();
  }

  function begin(): void {
    if (!current) return;
    worker?.ref();
    worker?.postMessage(current.request);
    timer = setTimeout(giveUp, limitMs);
  }

  function giveUp(): void {
    if (current) slow.add(current.request.schema);
    const [oldest] = slow;
    if (slow.size > MAX_SLOW_SCHEMAS && oldest !== undefined) slow.delete(oldest);
    replace(`this takes longer than ${limitMs / 1000} s to check: simplify its patterns`);
  }

  /** Starts a thread. The time limit starts when the thread is ready. */
  function start(): Worker {
    const options = { resourceLimits: RESOURCE_LIMITS, name: 'orchd-checker' };
    const started = startWorker(workerBundle('checker-worker', import.meta.url), options);
    started.on('message', (message: Reply | typeof READY) => {
      if (started !== worker) return;
      if (message === READY) begin();
      else settle(message.answer);
    });
    started.on('error', (error) => started === worker && replace(error.message));
    return started;
  }

  /** Fails the current check and replaces the thread. */
  function replace(reason: string): void {
    void stop();
    settle({ ok: false, errors: [{ path: '$', message: reason }] });
  }

  function settle(answer: Verdict): void {
    const settled = current;
    next();
    settled?.resolve(answer);
  }

  async function stop(): Promise<void> {
    const stopped = worker;
    worker = null;
    await stopped?.terminate();
  }

  return {
    async checkSchema(schema) {
      if (isPlainlyGood(schema)) return []; // asking the thread would take longer
      const verdict = await ask('schema', schema, '');
      return verdict.ok ? [] : verdict.errors;
    },
    checkValue: (value, schema) => ask('value', schema, JSON.stringify(value)),
    checkText: (text, schema, echo) => ask('text', schema, text, echo),
    async close() {
      clearTimeout(timer);
      waiting = [];
      current = null;
      await stop();
    },
  };
}
