/**
 * The last screen of an attached program that has ended. The person can restart it, go to another session, or leave.
 *
 * In:   how the program ended, keys without the prefix, changes of the model.
 * Out:  notices on the terminal, and `over`.
 * Keys typed for the program must not decide anything. The keys that do are shown and accepted only after SEEING_MS,
 * and only without another key within ALONE_MS before or after them. Enter at the end of a line that was typed does not
 * leave. If another client restarts the session, this terminal attaches to it again.
 */

import { type Client, callerOf, type Terminal } from '../../client/index.js';
import { OrchdError } from '../../protocol/index.js';
import { isAlive, type Model } from '../model/model.js';
import { SEEING_MS } from '../model/timing.js';
import { cropRow } from '../paint/ansi-row.js';
import type { Paint } from '../paint/paint.js';
import { wordsOf } from '../paint/text.js';
import type { Exit } from './attach-transport.js';
import type { AttachView } from './display/index.js';
import { GIVE_KEYS, TAKE_KEYS } from './overlays/index.js';

interface KeptPorts {
  readonly client: Pick<Client, 'call'>;
  readonly view: AttachView;
  readonly paint: Paint;
  /** The environment for the restarted program. */
  readonly env: NodeJS.ProcessEnv;
  readonly sessionId: string;
  readonly exit: Exit;
  /** True if the person cannot restart the program. */
  readonly isReadOnly: boolean;
  /** Attaches to the session again. Shows a notice if that fails. */
  readonly attach: () => Promise<void>;
}

const BELL = '\x07';
const CTRL_C = '\x03';
const ENTER: readonly string[] = ['\r', '\n'];
/** A person who types a word needs less time from letter to letter. */
const ALONE_MS = 250;

/** `unseen`: until the keys are shown. `starting`: the program is being restarted. */
type Phase = 'unseen' | 'choosing' | 'starting' | 'over';

export class KeptScreen {
  readonly #ports: KeptPorts;
  readonly #seeing: NodeJS.Timeout;
  #words: string;
  #phase: Phase = 'unseen';
  /** True after a key that decided nothing: the person goes on typing for the program. */
  #hasTyped = false;
  /** Runs for ALONE_MS after each key; null if no key was pressed within that time. */
  #pause: NodeJS.Timeout | null = null;
  #hasEnded = false;
  #end: (next: Terminal | null) => void = () => {};
  /** The next stream to show; null to leave. */
  readonly over = new Promise<Terminal | null>((resolve) => {
    this.#end = resolve;
  });

  constructor(ports: KeptPorts) {
    this.#ports = ports;
    this.#words = exitWords(ports.exit);
    ports.view.send(TAKE_KEYS);
    ports.view.setStanding(this.#words);
    this.#seeing = setTimeout(() => this.#nameKeys(), SEEING_MS);
  }

  push(typed: Buffer): void {
    const key = typed.toString('latin1');
    if (this.#phase !== 'choosing') this.#ports.view.send(BELL);
    else if (key === CTRL_C) this.goOn(null);
    else this.#weigh(key);
  }

  /** Acts on a key that decides something, once it is certain that it is not part of a word. */
  #weigh(key: string): void {
    const act = this.#pause === null ? this.#actOf(key) : null;
    if (this.#pause) clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      this.#pause = null;
      act?.();
    }, ALONE_MS);
    if (act) return;
    this.#hasTyped = true;
    this.#ports.view.send(BELL);
  }

  #actOf(key: string): (() => void) | null {
    if (key === 'q' || (ENTER.includes(key) && !this.#hasTyped)) return () => this.goOn(null);
    return key === 'r' && !this.#ports.isReadOnly ? () => void this.#restart() : null;
  }

  /** Handles a change of the model. */
  hear({ sessions }: Model): void {
    const session = sessions.find(({ id }) => id === this.#ports.sessionId);
    if (session && !isAlive(session)) this.#hasEnded = true;
    else if (session && this.#hasEnded && this.#phase !== 'starting') {
      this.#hasEnded = false;
      void this.#ports.attach();
    }
  }

  goOn(next: Terminal | null): void {
    this.#end(next);
  }

  /** Redraws the last screen after an overlay was closed or the terminal was resized. */
  async paint(): Promise<void> {
    const { client, view, paint, sessionId: session } = this.#ports;
    try {
      const { text } = await client.call('session.capture', { session, ansi: true });
      if (this.#phase === 'over' || view.isOverlaid) return;
      const { cols: columns, rows: height } = view.window();
      const rows = text.replace(/\n$/, '').split('\n').slice(-height);
      const shown = Array.from({ length: height }, (_, y) => cropRow(rows[y] ?? '', { columns, ...paint }));
      view.send(shown.map((row, y) => `\x1b[${y + 1};1H\x1b[m${row}`).join(''));
      view.setStanding(this.#words);
    } catch (error) {
      view.say(wordsOf(error));
    }
  }

  close(): void {
    clearTimeout(this.#seeing);
    if (this.#pause) clearTimeout(this.#pause);
    this.#phase = 'over';
    this.#ports.view.send(GIVE_KEYS);
  }

  #nameKeys(): void {
    this.#phase = 'choosing';
    this.#words = [this.#words, ...(this.#ports.isReadOnly ? [] : ['r restarts']), 'q leaves'].join(' · ');
    this.#ports.view.setStanding(this.#words);
  }

  async #restart(): Promise<void> {
    const { client, view, sessionId: session } = this.#ports;
    this.#phase = 'starting';
    view.say('starting it again …', true);
    try {
      await client.call('session.revive', { session, ...callerOf(this.#ports.env), size: view.window() });
      await this.#ports.attach();
    } catch (error) {
      // Another client has restarted the session first.
      if (error instanceof OrchdError && error.code === 'ORCHD_SESSION_ALIVE') await this.#ports.attach();
      else view.say(wordsOf(error));
    }
    if (this.#phase === 'starting') this.#phase = 'choosing';
  }
}

function exitWords({ state, exitCode, signal }: Exit): string {
  if (signal !== null) return `ended by ${signal}`;
  return exitCode === null ? state : `exited with code ${exitCode}`;
}
