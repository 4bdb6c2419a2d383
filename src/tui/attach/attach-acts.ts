/**
 * The effect of each key that follows the prefix in an attached terminal: another session, an overlay, or a change of
 * how the session is shown.
 */
import type { Session } from '../../protocol/index.js';
import type { AttachAction, AttachKeys } from '../keys/index.js';
import type { Model } from '../model/model.js';
import type { SplitWay } from '../splits/index.js';
import type { AttachTarget } from './attach-target.js';
import type { AttachTransport } from './attach-transport.js';
import type { AttachView } from './display/index.js';
import type { AttachOverlays } from './overlays/index.js';
import { attachable, nextWaiting, sessionBeside } from './reachable-sessions.js';

interface AttachActsPorts {
  readonly transport: Pick<AttachTransport, 'call' | 'machine'>;
  readonly view: AttachView;
  readonly overlays: AttachOverlays;
  readonly pressedFor: AttachKeys['pressedFor'];
  /** True to show the next session that waits after an answer. */
  readonly goesOn: boolean;
  readonly model: () => Model;
  readonly target: () => AttachTarget;
  /** The session that was attached before this one. */
  readonly last: () => string | null;
  readonly isReadOnly: () => boolean;
  /** @param isAsked  False if the person did not ask for it. Keys typed during the switch are then dropped. */
  readonly switchTo: (change: Partial<AttachTarget>, isAsked?: boolean) => Promise<void>;
  readonly detach: () => void;
  /** Leaves, to show this session and another one side by side. */
  readonly split: (way: SplitWay, other: Pick<Session, 'id' | 'name'>) => void;
  /** True if attach was opened from a split. Detaching then returns to the split. */
  readonly isInSplit: boolean;
  readonly take: () => void;
  readonly allowCopy: () => void;
  readonly detachOthers: () => void;
  /** True if other clients are attached to this session. */
  readonly hasOthers: () => boolean;
}

const IN_BATCH = 'it runs in batch mode: nothing can be typed';

export class AttachActs {
  readonly #ports: AttachActsPorts;
  /**
   * True once the person has switched to another session, answered, or ended the program. From then on, the end of a
   * program does not end attaching.
   */
  hasActed = false;

  constructor(ports: AttachActsPorts) {
    this.#ports = ports;
  }

  /**
   * @param key     The key that was pressed; `look_back` uses it.
   * @param number  Its place among the keys of the action; `go_to` uses it.
   */
  run(action: AttachAction, key: string, number: number): void {
    this.#effects[action](key, number);
  }

  readonly #effects: Readonly<Record<AttachAction, (key: string, number: number) => void>> = {
    detach: () => this.#ports.detach(),
    detach_others: () => this.#detachOthers(),
    next: () => this.#go(sessionBeside(this.#model, this.#id, 1), 'there is no other session'),
    previous: () => this.#go(sessionBeside(this.#model, this.#id, -1), 'there is no other session'),
    last: () => this.#go(this.#ports.last(), 'you have been at no other session'),
    waiting: () => this.#go(nextWaiting(this.#model, this.#id), 'no other session waits for you'),
    go_to: (_key, number) =>
      this.#go(attachable(this.#model)[number - 1]?.id ?? null, `session ${number} is this one, or is not there`),
    take: () => this.#take(),
    read_only: () => this.#changeReadOnly(),
    zoom: () => {
      if (this.#ports.isInSplit) this.#ports.detach();
      else void this.#ports.switchTo({ hasStatus: !this.#ports.target().hasStatus });
    },
    split_right: () => this.#split('|'),
    split_below: () => this.#split('-'),
    help: () => this.#ports.overlays.help(),
    look_back: (key) => void this.#ports.overlays.copy(this.#id, key === 'PageUp' ? 'page' : null),
    allow_copy: () => this.#ports.allowCopy(),
    picker: () => this.#ports.overlays.pick(this.#id),
    new: () => this.#ports.overlays.start(this.#id),
    rename: () => this.#ports.overlays.rename(this.#session),
    kill: () =>
      this.#ports.overlays.kill(this.#session, () => {
        this.hasActed = true;
      }),
    command: () => this.#ports.overlays.command(),
    answer: () => void this.#ports.overlays.answer(this.#id),
  };

  get #model(): Model {
    return this.#ports.model();
  }

  get #id(): string {
    return this.#ports.target().session.id;
  }

  goTo(session: AttachTarget['session']): void {
    if (session.id === this.#session.id) return;
    this.hasActed = true;
    void this.#ports.switchTo({ session });
  }

  /** Called after an answer. With `goesOn`, asks the session's next question, or goes to the next waiting session. */
  async answered(id: string): Promise<void> {
    const { transport, model, goesOn, overlays, switchTo, view, pressedFor } = this.#ports;
    this.hasActed = true;
    if (!goesOn) return;
    const [more] = await transport.call('inbox.list', { session: id }).catch(() => []);
    if (more) {
      await overlays.answer(id);
      return;
    }
    const next = nextWaiting(model(), id);
    const session = model().sessions.find((one) => one.id === next);
    if (!session || session.id === id || view.isOverlaid || this.#session.id !== id) return;
    await switchTo({ session }, false);
    view.say(`answered; this session waits, too (${pressedFor('last')} goes back)`);
  }

  /** The attached session with its present name. */
  get #session(): AttachTarget['session'] {
    const { session } = this.#ports.target();
    return this.#ports.model().sessions.find(({ id }) => id === session.id) ?? session;
  }

  #go(id: string | null, otherwise: string): void {
    const session = this.#ports.model().sessions.find((one) => one.id === id);
    if (session && session.id !== this.#session.id) this.goTo(session);
    else this.#ports.view.say(otherwise);
  }

  #split(way: SplitWay): void {
    const { transport, view, overlays } = this.#ports;
    if (transport.machine !== null) view.say('a split shows sessions of this machine only');
    else overlays.split(this.#id, (other) => this.#ports.split(way, other));
  }

  /** Says why typed keys are refused, and how to type again. */
  sayReadOnly(): void {
    const { view, target, pressedFor } = this.#ports;
    const isBatch = target().session.mode === 'batch';
    view.say(isBatch ? IN_BATCH : `read-only: ${pressedFor('read_only')} lets you type`);
  }

  #changeReadOnly(): void {
    const { view, target, switchTo } = this.#ports;
    if (target().session.mode === 'batch') view.say(IN_BATCH);
    else void switchTo({ isReadOnly: !target().isReadOnly });
  }

  #detachOthers(): void {
    const { view, pressedFor, isReadOnly, detachOthers, hasOthers } = this.#ports;
    if (isReadOnly()) view.say(`read-only: ${pressedFor('read_only')} first`);
    else if (!hasOthers()) view.say('no other client is attached');
    else detachOthers();
  }

  #take(): void {
    const { view, pressedFor, isReadOnly, take } = this.#ports;
    if (isReadOnly()) view.say(`read-only: ${pressedFor('read_only')} first`);
    else take();
  }
}
