/**
 * What a person types into an attached terminal. Keys after the prefix are orchd's (attach-keys.ts), the others go to
 * an open overlay or to the program. The wheel opens the look back, unless the program uses the mouse.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttachAction,
  type AttachKeys,
  createAttachMouse,
  createHeldKeys,
  createPrefixReader,
  createReplyFilter,
  keyWithoutAction,
  prefixName,
  type TerminalColours,
} from '../keys/index.js';
import type { AttachView } from './display/index.js';

interface AttachInputPorts {
  readonly keys: AttachKeys;
  /** False if the wheel is left to the terminal. */
  readonly hasMouse: boolean;
  readonly view: AttachView;
  /** True if the last row of the terminal is orchd's. */
  readonly hasStatus: () => boolean;
  /** False while the daemon is away. Its notice then stays. */
  readonly hasScreen: () => boolean;
  readonly lookBack: () => void;
  readonly run: (action: AttachAction, key: string, number: number) => void;
  readonly send: (bytes: Buffer) => void;
  readonly tellColours: (colours: TerminalColours) => void;
}

/** Length of a pause after which keys are no longer meant for a program that has ended. */
const SWALLOW_MS = 250;

export class AttachInput {
  readonly #ports: AttachInputPorts;
  /** The label of the prefix key. */
  readonly #key: string;
  readonly #mouse: ReturnType<typeof createAttachMouse> | null;
  readonly #reader: ReturnType<typeof createPrefixReader>;
  readonly #withoutReplies: (chunk: Buffer) => Buffer;
  /** Keys that are not sent yet, because another session is being opened. */
  readonly held = createHeldKeys((bytes) => this.#deliver(bytes));
  /** When the person last typed something (ms). */
  #typedAt = 0;

  constructor(ports: AttachInputPorts) {
    this.#ports = ports;
    this.#key = prefixName(ports.keys.prefix);
    this.#mouse = ports.hasMouse ? createAttachMouse() : null;
    this.#reader = createPrefixReader(ports.keys.prefix);
    this.#withoutReplies = createReplyFilter(ports.tellColours);
  }

  /** Takes what the terminal has sent: keys, reports of the mouse, replies to queries. */
  push(chunk: Buffer): void {
    const { hasStatus, view, lookBack } = this.#ports;
    this.#typedAt = performance.now();
    let typed = this.#withoutReplies(chunk);
    if (this.#mouse && hasStatus() && !view.isOverlaid) {
      const { rest, isWheelUp } = this.#mouse.typed(typed);
      typed = rest;
      if (isWheelUp) lookBack();
    }
    if (typed.length > 0) this.#type(typed);
  }

  /** Returns the sequence to send after output of the program, which may have changed the modes of the mouse. */
  wrote(bytes: Uint8Array): string {
    return this.#mouse?.wrote(bytes) ?? '';
  }

  /** Enables the wheel again after an overlay or another session. */
  takeWheel(): void {
    const { view, hasStatus } = this.#ports;
    if (this.#mouse) view.send(hasStatus() ? this.#mouse.again() : this.#mouse.off());
  }

  /**
   * Discards what the person still types for a program that has just ended, so that it does not reach the shell. Only
   * keys that follow one another without a pause are discarded.
   *
   * @param left  Resolves if the person leaves meanwhile.
   */
  async swallow(left: Promise<unknown>): Promise<null> {
    while (performance.now() - this.#typedAt < SWALLOW_MS) {
      if (await Promise.race([sleep(SWALLOW_MS), left])) break;
    }
    return null;
  }

  #type(chunk: Buffer): void {
    const { view, keys, hasScreen, run } = this.#ports;
    if (view.isOverlaid) {
      const rest = view.press(chunk);
      if (rest.length > 0) this.#type(rest);
      return;
    }
    if (hasScreen()) view.unsay();
    for (const step of this.#reader.push(chunk)) {
      if (step.kind === 'send') {
        this.#send(step.bytes);
        continue;
      }
      const action = keys.find(step.key);
      if (action) run(action, step.key, keys.numberOf(step.key));
      else if (step.key !== 'Escape') view.say(keyWithoutAction(this.#key, step.key));
      if (step.rest.length > 0) this.#type(step.rest);
    }
    if (this.#reader.isWaiting) view.say(`${this.#key}:  ${keys.hint}`, true);
  }

  /** Sends keys that were held. An overlay that has opened meanwhile gets them first. */
  #deliver(bytes: Buffer): void {
    const { view } = this.#ports;
    const rest = view.isOverlaid ? view.press(bytes) : bytes;
    if (rest.length > 0) this.#send(rest);
  }

  #send(bytes: Buffer): void {
    if (!this.held.take(bytes)) this.#ports.send(bytes);
  }
}
