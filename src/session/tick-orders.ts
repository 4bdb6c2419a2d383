/**
 * Orders ticks from the host: records of silences, which complete what the ears wait for.
 *
 * An order stays in effect, so that a program that prints all the time needs no further commands. It is cancelled if
 * its ticks are not needed. A host of an older contract forgets an order after one tick.
 */
export interface TickOrdersPorts {
  /** Orders a tick after each silence of `quietMs`; null: none. `since`: everything before this position was read. */
  readonly askTick: (since: number, quietMs: number | null) => void;
  /** False if the host forgets an order after one tick (contract.ts). */
  readonly ticksStay: boolean;
}

export class TickOrders {
  readonly #ports: TickOrdersPorts;
  /** The silence, as ordered last, after which the host appends a tick; null for none. */
  #ordered: number | null = null;
  #wished: number | null = null;
  /** True if the host has appended the tick of this silence. */
  #hasTicked = false;
  /** True if a tick came that was not needed. */
  #isNeedless = false;

  constructor(ports: TickOrdersPorts) {
    this.#ports = ports;
  }

  /** Called for output, which ends a silence. */
  printed(): void {
    this.#hasTicked = false;
  }

  /** Called for a tick. */
  ticked(): void {
    this.#hasTicked = true;
    this.#isNeedless = this.#wished === null;
  }

  /**
   * Orders a tick if the current order is another one.
   *
   * @param wished  The silence that the ears want to hear of, in milliseconds; null for none.
   * @param position  Journal position up to which was read.
   */
  order(wished: number | null, position: number): void {
    this.#wished = wished;
    const isNoneNeeded = this.#ordered === null || !this.#isNeedless;
    const isOrdered = wished === null ? isNoneNeeded : wished === this.#ordered && !this.#hasTicked;
    if (this.#ports.ticksStay ? isOrdered : wished === null) return;
    this.#ordered = wished;
    this.#hasTicked = false;
    this.#isNeedless = false;
    this.#ports.askTick(position, wished);
  }
}
