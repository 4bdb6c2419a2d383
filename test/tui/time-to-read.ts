import type { Person } from './person.js';

/**
 * Answers are taken only from those who had time to see what they answer. The age of an item may change the moment
 * after it was opened; from then to the next change it is a second.
 */
export async function timeToRead(person: Person): Promise<void> {
  for (let changes = 0; changes < 2; changes++) {
    const age = ageOf(person.screen());
    await person.sees((screen) => ageOf(screen) !== age);
  }
}

const ageOf = (screen: string): string | undefined => /(\d+[smh]) ago ─╮/.exec(screen)?.[1];
