/**
 * The terminals of this machine that people on other machines are attached to.
 *
 * The stream begins with the first frame of the viewer, so a viewer that has given up counts as no client. It ends when
 * either side closes it, when the viewer is silent, and when the key of the viewer's machine is not enrolled any more.
 */
import type { Member, TerminalChannel } from '../../hub/index.js';
import { CLOSE, errorMessage, OrchdError } from '../../protocol/index.js';
import type { Log } from '../log.js';
import type { Registry } from '../registry/index.js';
import type { Terminals } from '../terminals/index.js';
import { requestOf, type TerminalOpening } from './terminal-opening.js';

export interface ShownTerminalsPorts {
  readonly registry: Pick<Registry, 'session'>;
  readonly terminals: Pick<Terminals, 'serve'>;
  readonly watchers: { add(kind: 'terminal'): () => void };
  readonly log: Pick<Log, 'info' | 'error'>;
}

interface Shown {
  readonly machine: string;
  /** The outcome of the command that opened the terminal. A repeated command gets the same outcome. */
  readonly outcome: { readonly key: string };
  readonly channel: TerminalChannel;
}

const NO_KEY = 'the key of your machine is not enrolled any more';

interface Viewer {
  readonly from: string;
  /** The person, for the log. */
  readonly by: string;
}

export class ShownTerminals {
  readonly #ports: ShownTerminalsPorts;
  /** The shown terminals, by machine and channel. */
  readonly #shown = new Map<string, Shown>();
  /** The terminals that are being opened, except those of machines whose key was removed meanwhile. */
  readonly #opening = new Map<string, { readonly machine: string; readonly outcome: Promise<Shown['outcome']> }>();

  constructor(ports: ShownTerminalsPorts) {
    this.#ports = ports;
  }

  /**
   * Opens a terminal for a machine that is permitted to open one. A repeated command opens it once.
   *
   * @throws {OrchdError} ORCHD_SESSION_UNKNOWN, ORCHD_AMBIGUOUS, and the errors of `Member.terminal`.
   */
  async open(member: Pick<Member, 'terminal'>, viewer: Viewer, opening: TerminalOpening): Promise<Shown['outcome']> {
    const name = `${viewer.from} ${opening.channel}`;
    const known = this.#shown.get(name) ?? this.#opening.get(name);
    if (known) return known.outcome;
    const outcome = this.#open(name, member, viewer, opening);
    const one = { machine: viewer.from, outcome };
    this.#opening.set(name, one);
    return outcome.finally(() => {
      if (this.#opening.get(name) === one) this.#opening.delete(name);
    });
  }

  async #open(
    name: string,
    member: Pick<Member, 'terminal'>,
    { from, by }: Viewer,
    opening: TerminalOpening,
  ): Promise<Shown['outcome']> {
    const { registry, terminals, watchers, log } = this.#ports;
    const entry = registry.session(opening.session);
    const prepared = await member.terminal(from, opening.channel);
    if (!this.#opening.has(name)) {
      prepared.cancel();
      throw new OrchdError('ORCHD_HUB_FORBIDDEN', NO_KEY);
    }
    const channel = prepared.begin(opening.key);
    const outcome = { key: prepared.key };
    this.#shown.set(name, { machine: from, outcome, channel });
    channel.once('close', () => this.#shown.delete(name));
    channel.once('ready', () => {
      log.info('a terminal is shown on another machine', {
        machine: from,
        by,
        session_id: entry.id,
        read_only: opening.read_only,
      });
      channel.once('close', watchers.add('terminal'));
      terminals.serve(channel, entry, requestOf(opening)).catch((error: unknown) => {
        log.error('a terminal of another machine failed', error, { session_id: entry.id });
        channel.close(CLOSE.failed, errorMessage(error));
      });
    });
    return outcome;
  }

  /** Ends the terminals of a machine, whose key has been removed or replaced. */
  closeOf(machine: string): void {
    for (const [name, opening] of [...this.#opening]) if (opening.machine === machine) this.#opening.delete(name);
    for (const shown of [...this.#shown.values()]) {
      if (shown.machine === machine) shown.channel.close(CLOSE.notAllowed, NO_KEY);
    }
  }
}
