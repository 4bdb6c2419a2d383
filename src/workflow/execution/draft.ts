/** A decision under construction: the changed state, the events that record it, and the effects. */
import type { NewEventOf, WorkflowError, WorkflowRunState } from '../../protocol/index.js';
import type { Means, Part, Progress, StepProgress, WorkflowDecision, WorkflowEffect } from './progress.js';

export class RunDraft {
  readonly #before: Progress;
  readonly #at: string;
  #head: Progress['head'];
  readonly #steps: StepProgress[];
  readonly #changed = new Set<number>();
  /** Indexes of the running steps. */
  readonly running: Set<number>;
  readonly effects: WorkflowEffect[] = [];
  #reason: string | null = null;

  constructor(progress: Progress, { at }: Means) {
    this.#before = progress;
    this.#at = at;
    this.#head = progress.head;
    this.#steps = [...progress.steps];
    this.running = new Set(this.#steps.flatMap(({ state }, index) => (state === 'running' ? [index] : [])));
  }

  /** The state with all changes so far. */
  get progress(): Progress {
    return { head: this.#head, plan: this.#before.plan, steps: this.#steps };
  }

  get head(): Progress['head'] {
    return this.#head;
  }

  step(index: number): StepProgress {
    const step = this.#steps[index];
    if (!step) throw new Error(`there is no step ${index}`);
    return step;
  }

  change(index: number, changes: Partial<StepProgress>): void {
    this.#steps[index] = { ...this.step(index), ...changes };
    this.#changed.add(index);
    if (this.step(index).state === 'running') this.running.add(index);
    else this.running.delete(index);
  }

  changeHead(changes: Partial<Progress['head']>): void {
    this.#head = { ...this.#head, ...changes };
  }

  begin(index: number, state: 'running' | 'asking', more: Partial<StepProgress> = {}): void {
    this.change(index, { state, startedAt: this.#at, endedAt: null, error: null, ...more });
  }

  end(index: number, state: 'completed' | 'skipped' | 'failed' | 'cancelled', more: Partial<StepProgress> = {}): void {
    this.change(index, { state, endedAt: this.#at, ...more });
  }

  /** Sets the state of the whole run while it is not over. */
  setState(state: 'running' | 'awaiting_input'): void {
    if (state !== this.#head.state) this.changeHead({ state });
  }

  /** Ends the whole run. */
  finish(state: 'completed' | 'failed' | 'cancelled', error: WorkflowError | null): void {
    this.changeHead({ state, error, endedAt: this.#at });
  }

  changePart(index: number, runId: string, changes: Partial<Part>): void {
    const parts = this.step(index).parts.map((part) => (part.runId === runId ? { ...part, ...changes } : part));
    this.change(index, { parts });
  }

  /** Notes why the rule changes nothing at this place. The reason is ignored if something else changes. */
  because(reason: string): void {
    this.#reason ??= reason;
  }

  done(): WorkflowDecision {
    const events: NewEventOf[] = [...this.#changed].sort((a, b) => a - b).map((index) => this.#stepEvent(index));
    const { state: previous } = this.#before.head;
    if (this.#head.state !== previous) events.push(this.#stateEvent(previous));
    const isChanged = events.length > 0 || this.#head !== this.#before.head || this.effects.length > 0;
    const aggregate = isChanged ? { ...this.progress, steps: [...this.#steps] } : this.#before;
    const decision = { aggregate, events, effects: this.effects };
    return isChanged || this.#reason === null ? decision : { ...decision, ignored: this.#reason };
  }

  #stepEvent(index: number): NewEventOf {
    const { id, state, parts, itemId, values, error } = this.step(index);
    const before = this.#before.steps[index]?.parts ?? [];
    return {
      event_type: 'workflow_step_changed',
      timestamp: this.#at,
      workflow_id: this.#head.id,
      step: id,
      state,
      previous: this.#before.steps[index]?.state ?? 'waiting',
      run_ids: parts.flatMap((part, at) => (part === before[at] ? [] : [part.runId])),
      item_id: itemId,
      variables: Object.keys(values ?? {}),
      error,
    };
  }

  #stateEvent(previous: WorkflowRunState): NewEventOf {
    const { id, state, error } = this.#head;
    const event = { event_type: 'workflow_state_changed', timestamp: this.#at, workflow_id: id } as const;
    return { ...event, state, previous, error };
  }
}
