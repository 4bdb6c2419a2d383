/** Opens overlays over an attached session and fetches their data: the item, the scrollback. */
import { OrchdError, type Session } from '../../../protocol/index.js';
import type { AttachDrafts } from '../../effects/drafts.js';
import type { AttachAction, AttachKeys, HeldKeys } from '../../keys/index.js';
import type { Model } from '../../model/model.js';
import type { Paint } from '../../paint/paint.js';
import { plainLine, wordsOf } from '../../paint/text.js';
import type { AttachTransport } from '../attach-transport.js';
import type { AttachView } from '../display/index.js';
import { attachable } from '../reachable-sessions.js';
import type { AnswerRequest } from './attach-answer.js';
import { createHelp } from './attach-help.js';
import type { Overlay, OverlayPorts } from './attach-overlay.js';
import { createPicker, type PickerEntry } from './attach-picker.js';
import { createPrompt, createQuestion } from './attach-prompt.js';
import { createCopy, MAX_SCROLLBACK } from './copy/index.js';
import { chooseForSplit, entryOf } from './split-chooser.js';
import { startBeside } from './start-beside.js';

interface AttachOverlaysPorts {
  readonly transport: Pick<AttachTransport, 'call' | 'machine'>;
  readonly view: AttachView;
  readonly paint: Paint;
  /** The prefix key, such as `Ctrl-]`. */
  readonly prefix: string;
  readonly keys: AttachKeys;
  /** The environment for new programs. */
  readonly env: NodeJS.ProcessEnv;
  readonly model: () => Model;
  readonly hasMouse: boolean;
  readonly held: HeldKeys;
  readonly drafts: AttachDrafts;
  /** Shows another session. */
  readonly go: (session: Session) => void;
  readonly run: (action: AttachAction) => void;
  /** Called after an answer was accepted and its overlay is closed. */
  readonly answered: (sessionId: string) => void;
  /**
   * Copies lines.
   * @returns The notice to show.
   */
  readonly copy: (text: string) => string;
}

export class AttachOverlays {
  readonly #ports: AttachOverlaysPorts;
  #isLoading = false;
  readonly #overlay: OverlayPorts;

  constructor(ports: AttachOverlaysPorts) {
    this.#ports = ports;
    const { view } = ports;
    this.#overlay = {
      redraw: () => view.redraw(),
      close: (notice) => {
        view.closeOverlay();
        if (notice !== undefined) view.say(notice);
      },
    };
  }

  help(): void {
    const { view, paint, prefix, keys } = this.#ports;
    view.open(createHelp(paint, prefix, keys, this.#overlay));
  }

  /** @param by  What opened it: the view then begins higher up. */
  async copy(session: string, by: 'wheel' | 'page' | null = null): Promise<void> {
    const { view, paint, transport: client, copy, hasMouse, held } = this.#ports;
    if (this.#isLoading) return; // the wheel turns several times before the first reply
    this.#isLoading = true;
    try {
      await held.during(async () => {
        const { text } = await client.call('session.capture', { session, ansi: true, scrollback: MAX_SCROLLBACK });
        const rows = text.replace(/\n$/, '').split('\n');
        const overlay = createCopy({ paint, rows, copy, isByWheel: by === 'wheel', ...this.#overlay });
        view.open(overlay, hasMouse);
        if (by === 'page') overlay.press({ kind: 'named', name: 'pageup' });
      });
    } catch (error) {
      view.say(problemOf(error));
    } finally {
      this.#isLoading = false;
    }
  }

  /** Shows the living sessions with their numbers. */
  pick(at: string): void {
    const { view, paint, model, go } = this.#ports;
    const entries = (): readonly PickerEntry[] => attachable(model()).map((session, i) => entryOf(session, i, model()));
    const choose = (id: string): void => {
      const session = model().sessions.find((one) => one.id === id);
      if (session) go(session);
    };
    view.open(createPicker({ paint, title: 'Sessions', entries, at, choose, ...this.#overlay }), this.#ports.hasMouse);
  }

  /** Shows all actions by name. */
  command(): void {
    const { view, paint, keys, run } = this.#ports;
    const entries = keys.table
      .filter(({ action }) => action !== 'command' && action !== 'go_to')
      .map(({ action, keys: own, help }) => ({
        id: action,
        key: own[0] ?? '',
        name: action.replaceAll('_', ' '),
        words: help,
        note: '',
      }));
    const choose = (id: string): void => {
      const entry = keys.table.find(({ action }) => action === id);
      if (entry) run(entry.action);
    };
    const foot = 'Enter does it · Esc closes';
    view.open(createPicker({ paint, title: 'Do', entries: () => entries, at: null, choose, foot, ...this.#overlay }));
  }

  /** Asks for a command, and runs it in the directory of this session. */
  start(sessionId: string): void {
    const { view, paint, env, transport } = this.#ports;
    const submit = (text: string): void => void this.#start(sessionId, text);
    const fallback = (transport.machine === null && env['SHELL']) || '/bin/sh';
    view.open(createPrompt({ paint, title: 'Program for a new session', fallback, submit, ...this.#overlay }));
  }

  async #start(sessionId: string, text: string): Promise<void> {
    const { view, transport, env, go, held } = this.#ports;
    await held.during(async () => {
      try {
        go(await startBeside(transport, transport.machine === null ? env : null, sessionId, text));
      } catch (error) {
        held.drop();
        view.say(problemOf(error));
      }
    });
  }

  /** Asks which session is to be shown beside this one. */
  split(session: string, choose: (other: Pick<Session, 'id' | 'name'>) => void): void {
    const { view, transport, env, paint, model, hasMouse } = this.#ports;
    const fail = (error: unknown): void => view.say(problemOf(error));
    const open = (overlay: Overlay): void => view.open(overlay, hasMouse);
    const ports = { client: transport, env, paint, model, overlay: this.#overlay, open, fail };
    chooseForSplit(ports, session, [session], choose);
  }

  rename(session: Pick<Session, 'id' | 'name'>): void {
    const { view, paint, transport: client } = this.#ports;
    const submit = (name: string): void =>
      void client.call('session.rename', { session: session.id, name }).then(
        (renamed) => view.say(`renamed to ${plainLine(renamed.name)}`),
        (error: unknown) => view.say(problemOf(error)),
      );
    const initial = plainLine(session.name);
    view.open(createPrompt({ paint, title: 'New name', initial, submit, ...this.#overlay }));
  }

  /** @param onYes Called before the program is ended. */
  kill(session: Pick<Session, 'id' | 'name'>, onYes: () => void): void {
    const { view, paint, transport: client } = this.#ports;
    const yes = (): void => {
      onYes();
      client.call('session.kill', { session: session.id }).catch((error: unknown) => view.say(problemOf(error)));
    };
    const question = `End ${plainLine(session.name)} and all that it started?`;
    view.open(createQuestion({ paint, question, yes, ...this.#overlay }));
  }

  answer(session: string): Promise<void> {
    return this.#ports.held.during(() => this.#answer(session));
  }

  async #answer(session: string): Promise<void> {
    const { view, paint, transport: client, held, drafts } = this.#ports;
    try {
      const [item] = await client.call('inbox.list', { session });
      if (!item) {
        held.drop(); // what was typed is an answer, and not for the program
        view.say('this session asks nothing');
        return;
      }
      let isAnswered = false;
      const send = async (request: AnswerRequest): Promise<string | null> => {
        try {
          await client.call('inbox.answer', { item: item.id, ...request });
          isAnswered = true;
          return null;
        } catch (error) {
          return problemOf(error);
        }
      };
      // Loaded on demand: the markdown parser would delay attaching.
      const { createAnswer } = await import('./attach-answer.js');
      const { redraw, close } = this.#overlay;
      view.open(
        createAnswer({
          paint,
          item,
          now: Date.now,
          draft: drafts.get(item.id),
          keep: (text) => drafts.set(item.id, text),
          send,
          redraw,
          close: (notice) => {
            close(notice);
            if (isAnswered) this.#ports.answered(session);
          },
        }),
      );
    } catch (error) {
      view.say(problemOf(error));
    }
  }
}

function problemOf(error: unknown): string {
  const words = wordsOf(error);
  return error instanceof OrchdError && error.code === 'ORCHD_ITEM_CLOSED' ? `too late: ${words}` : words;
}
