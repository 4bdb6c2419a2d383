/** Applies pure decisions one after the other, and collects all their events and effects. */
interface Decision<SessionAggregate> {
  readonly aggregate: SessionAggregate;
  readonly events: readonly unknown[];
  readonly effects: readonly unknown[];
}

/** @returns A function that plays inputs: the last aggregate and effects, and all events. */
export const playerOf =
  <SessionAggregate, Input, D extends Decision<SessionAggregate>>(
    decide: (aggregate: SessionAggregate, input: Input) => D,
  ) =>
  (start: SessionAggregate, ...inputs: readonly Input[]): D =>
    inputs.reduce<D>(
      (before, input) => {
        const next = decide(before.aggregate, input);
        return { ...next, events: [...before.events, ...next.events] };
      },
      { aggregate: start, events: [], effects: [] } as unknown as D, // nothing has happened yet
    );
