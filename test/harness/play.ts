/** Applies pure decisions one after the other, and collects all their events and effects. */
interface Decision<Book> {
  readonly book: Book;
  readonly events: readonly unknown[];
  readonly effects: readonly unknown[];
}

/** @returns A function that plays inputs: the last book and effects, and all events. */
export const playerOf =
  <Book, Input, D extends Decision<Book>>(decide: (book: Book, input: Input) => D) =>
  (start: Book, ...inputs: readonly Input[]): D =>
    inputs.reduce<D>(
      (before, input) => {
        const next = decide(before.book, input);
        return { ...next, events: [...before.events, ...next.events] };
      },
      { book: start, events: [], effects: [] } as unknown as D, // nothing has happened yet
    );
