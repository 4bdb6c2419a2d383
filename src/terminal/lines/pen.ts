/**
 * Pen: the attributes that SGR sequences have set, stored as the parameters that set them.
 *
 *     1;38;5;208     bold and a colour of 256     22     neither bold nor dim     4:3     a curly underline
 *
 * In:   the parameters of one sequence after the other (`apply`).
 * Out:  parameters that bring any pen to the same state (`text`). Attributes that were not set are not changed.
 */

/** The group of attributes that a parameter sets. A later parameter of the same group replaces it. */
const GROUPS: Readonly<Record<string, string>> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  23: 'italic',
  4: 'underline',
  21: 'underline',
  24: 'underline',
  5: 'blink',
  25: 'blink',
  7: 'inverse',
  27: 'inverse',
  8: 'hidden',
  28: 'hidden',
  9: 'struck',
  29: 'struck',
  39: 'text',
  49: 'ground',
  53: 'overline',
  55: 'overline',
  59: 'line',
};
for (let colour = 0; colour < 8; colour++) {
  Object.assign(GROUPS, {
    [30 + colour]: 'text',
    [90 + colour]: 'text',
    [40 + colour]: 'ground',
    [100 + colour]: 'ground',
  });
}
const COLOUR_GROUPS: Readonly<Record<string, string>> = { 38: 'text', 48: 'ground', 58: 'line' };
const COLOUR = /^\d{1,3}$/;

export class Pen {
  readonly #set = new Map<string, string>();

  /** @returns True if every parameter is known; otherwise the pen is unknown from here on. */
  apply(parameters: string): boolean {
    const list = parameters.split(';');
    for (let at = 0; at < list.length; at++) {
      const one = list[at] ?? '';
      if (one === '' || /^0+$/.test(one)) this.#reset();
      else if (one === '22') {
        this.#put('bold', one);
        this.#put('dim', one);
      } else if (one in COLOUR_GROUPS) {
        const count = list[at + 1] === '5' ? 3 : list[at + 1] === '2' ? 5 : 0;
        const colour = list.slice(at, at + count);
        if (count === 0 || colour.length < count || !colour.every((part) => COLOUR.test(part))) return false;
        this.#put(COLOUR_GROUPS[one] ?? '', colour.join(';'));
        at += count - 1;
      } else if (/^4:[0-5]$/.test(one)) this.#put('underline', one);
      else if (one in GROUPS) this.#put(GROUPS[one] ?? '', one);
      else return false;
    }
    return true;
  }

  get text(): string {
    return [...this.#set.values()].join(';');
  }

  /** Resets the pen. */
  forget(): void {
    this.#set.clear();
  }

  #reset(): void {
    this.#set.clear();
    this.#set.set('all', '0');
  }

  /** The newest parameter is last. `22` resets two groups, and must not reset parameters that came after it. */
  #put(group: string, parameter: string): void {
    this.#set.delete(group);
    this.#set.set(group, parameter);
  }
}
