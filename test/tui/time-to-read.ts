import type { Person } from './person.js';

/**
 * Waits until the TUI accepts an answer: it ignores one if the person had no time to read the item. The age of an item
 * may change at any moment after it was opened. From then to the next change, a second passes.
 */
export async function timeToRead(person: Person): Promise<void> {
  for (let changes = 0; changes < 2; changes++) {
    const age = ageOf(person.screen());
    await person.sees((screen) => ageOf(screen) !== age);
  }
}

const ageOf = (screen: string): string | undefined => /(\d+[smh]) ago ─╮/.exec(screen)?.[1];
