/**
 * A notice with several subscribers, which its publisher does not know. They are called at once, in the order in which
 * they subscribed.
 */
export class Topic<Notice extends readonly unknown[]> {
  readonly #subscribers: ((...notice: Notice) => void)[] = [];

  subscribe(subscriber: (...notice: Notice) => void): void {
    this.#subscribers.push(subscriber);
  }

  publish(...notice: Notice): void {
    for (const subscriber of this.#subscribers) subscriber(...notice);
  }
}
