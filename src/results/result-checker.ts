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

/** A text of some megabytes takes one second. A pattern that takes longer would hardly ever end. */
const LIMIT_MS = 5_000;
const IDLE_MS = 30_000;
const MAX_SLOW_SCHEMAS = 100;
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 } as const;

interface Question {
  readonly request: Request;
  readonly resolve: (answer: Verdict) => void;
}

export class ResultChecker {
  readonly #limitMs: number;
  #worker: Worker | null = null;
  #waiting: Question[] = [];
  #current: Question | null = null;
  #timer: NodeJS.Timeout | undefined;
  #nextId = 0;
  /** Schemas whose check took too long, as JSON. */
  readonly #slow = new Set<string>();

  /** @param limitMs  Maximum milliseconds for one check. */
  constructor(limitMs = LIMIT_MS) {
    this.#limitMs = limitMs;
  }

  /** Returns the errors of a schema with their paths; [] for a valid schema. */
  async checkSchema(schema: unknown): Promise<readonly SchemaError[]> {
    if (isPlainlyGood(schema)) return []; // asking the thread would take longer
    const verdict = await this.#ask('schema', schema, '');
    return verdict.ok ? [] : verdict.errors;
  }

  /** Checks a value against a valid schema. */
  checkValue(value: unknown, schema: unknown): Promise<Verdict> {
    return this.#ask('value', schema, JSON.stringify(value));
  }

  /**
   * Checks the result in an agent's final text against a valid schema.
   *
   * @param echo The prompt, whose text is not a result: neither its echo nor a quote of it.
   */
  checkText(text: string, schema: unknown, echo: PossibleEcho | null = null): Promise<Verdict> {
    return this.#ask('text', schema, text, echo);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.#current = null;
    await this.#stop();
  }

  #ask(what: Request['what'], schema: unknown, given: string, echo: PossibleEcho | null = null): Promise<Verdict> {
    return new Promise((resolve) => {
      const request = { id: this.#nextId++, schema: JSON.stringify(schema), what, given, echo };
      this.#waiting.push({ request, resolve });
      if (!this.#current) this.#next();
    });
  }

  #next(): void {
    clearTimeout(this.#timer);
    const first = this.#waiting.findIndex(({ request }) => !this.#slow.has(request.schema));
    [this.#current = null] = this.#waiting.splice(Math.max(0, first), 1);
    if (!this.#current) {
      this.#worker?.unref();
      this.#timer = setTimeout(() => void this.#stop(), IDLE_MS).unref();
    } else if (this.#worker) this.#begin();
    else this.#worker = this.#start();
  }

  #begin(): void {
    if (!this.#current) return;
    this.#worker?.ref();
    this.#worker?.postMessage(this.#current.request);
    this.#timer = setTimeout(() => this.#giveUp(), this.#limitMs);
  }

  #giveUp(): void {
    if (this.#current) this.#slow.add(this.#current.request.schema);
    const [oldest] = this.#slow;
    if (this.#slow.size > MAX_SLOW_SCHEMAS && oldest !== undefined) this.#slow.delete(oldest);
    this.#replace(`this takes longer than ${this.#limitMs / 1000} s to check: simplify its patterns`);
  }

  /** Starts a thread. The time limit starts when the thread is ready. */
  #start(): Worker {
    const options = { resourceLimits: RESOURCE_LIMITS, name: 'orchd-checker' };
    const started = startWorker(workerBundle('checker-worker', import.meta.url), options);
    started.on('message', (message: Reply | typeof READY) => {
      if (started !== this.#worker) return;
      if (message === READY) this.#begin();
      else this.#settle(message.answer);
    });
    started.on('error', (error) => started === this.#worker && this.#replace(error.message));
    return started;
  }

  /** Fails the current check and replaces the thread. */
  #replace(reason: string): void {
    void this.#stop();
    this.#settle({ ok: false, errors: [{ path: '$', message: reason }] });
  }

  #settle(answer: Verdict): void {
    const settled = this.#current;
    this.#next();
    settled?.resolve(answer);
  }

  async #stop(): Promise<void> {
    const stopped = this.#worker;
    this.#worker = null;
    await stopped?.terminate();
  }
}
