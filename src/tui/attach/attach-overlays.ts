/** Opens overlays over an attached session and fetches their data: the item, the scrollback. */
import type { Client } from '../../client/index.js';
import { OrchdError } from '../../protocol/index.js';
import type { Paint } from '../paint/paint.js';
import { wordsOf } from '../paint/text.js';
import type { AnswerRequest } from './attach-answer.js';
import { createCopy, MAX_SCROLLBACK } from './attach-copy.js';
import { createHelp } from './attach-help.js';
import type { OverlayPorts } from './attach-overlay.js';
import type { AttachView } from './attach-view.js';

interface AttachOverlaysPorts {
  readonly client: Client;
  readonly view: AttachView;
  readonly paint: Paint;
  /** The prefix key, such as `Ctrl-]`. */
  readonly prefix: string;
  /**
   * Copies lines.
   * @returns The notice to show.
   */
  readonly copy: (text: string) => string;
}

export class AttachOverlays {
  readonly #ports: AttachOverlaysPorts;
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
    const { view, paint, prefix } = this.#ports;
    view.open(createHelp(paint, prefix, this.#overlay));
  }

  async copy(session: string): Promise<void> {
    const { view, paint, client, copy } = this.#ports;
    try {
      const { text } = await client.call('session.capture', { session, ansi: true, scrollback: MAX_SCROLLBACK });
      view.open(createCopy({ paint, rows: text.replace(/\n$/, '').split('\n'), copy, ...this.#overlay }));
    } catch (error) {
      view.say(problemOf(error));
    }
  }

  async answer(session: string): Promise<void> {
    const { view, paint, client } = this.#ports;
    try {
      const [item] = await client.call('inbox.list', { session });
      if (!item) {
        view.say('this session asks nothing');
        return;
      }
      const send = async (request: AnswerRequest): Promise<string | null> => {
        try {
          await client.call('inbox.answer', { item: item.id, ...request });
          return null;
        } catch (error) {
          return problemOf(error);
        }
      };
      // Loaded on demand: the markdown parser would delay attaching.
      const { createAnswer } = await import('./attach-answer.js');
      view.open(createAnswer({ paint, item, now: Date.now, send, ...this.#overlay }));
    } catch (error) {
      view.say(problemOf(error));
    }
  }
}

function problemOf(error: unknown): string {
  const words = wordsOf(error);
  return error instanceof OrchdError && error.code === 'ORCHD_ITEM_CLOSED' ? `too late: ${words}` : words;
}
