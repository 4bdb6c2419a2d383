/** Asks which session is to be shown beside another one: one that lives, or a program that is started for it. */
import type { Client } from '../../../client/index.js';
import { type Session, shownState } from '../../../protocol/index.js';
import { type Model, openItemsOf } from '../../model/model.js';
import type { Paint } from '../../paint/paint.js';
import { commandLine, plainLine } from '../../paint/text.js';
import { attachable } from '../reachable-sessions.js';
import type { Overlay, OverlayPorts } from './attach-overlay.js';
import { createPicker, type PickerEntry } from './attach-picker.js';
import { createPrompt } from './attach-prompt.js';
import { startBeside } from './start-beside.js';

interface ChooserPorts {
  readonly client: Pick<Client, 'call'>;
  readonly env: NodeJS.ProcessEnv;
  readonly paint: Paint;
  readonly model: () => Model;
  readonly overlay: OverlayPorts;
  readonly open: (overlay: Overlay) => void;
  readonly fail: (error: unknown) => void;
}

type Chosen = Pick<Session, 'id' | 'name'>;

const NEW = 'new';

/**
 * @param beside  The session that is split.
 * @param shown   Ids of the sessions that are on the screen already.
 */
export function chooseForSplit(
  { client, env, paint, model, overlay, open, fail }: ChooserPorts,
  beside: string,
  shown: readonly string[],
  choose: (session: Chosen) => void,
): void {
  const entries = (): readonly PickerEntry[] => [
    ...attachable(model())
      .filter(({ id, mode }) => !shown.includes(id) && mode !== 'batch')
      .map((session, at) => entryOf(session, at, model())),
    { id: NEW, key: '', name: 'new', words: 'start a program in the directory of this session', note: '' },
  ];
  const start = (): void => {
    const submit = (text: string): void => void startBeside(client, env, beside, text).then(choose, fail);
    const fallback = env['SHELL'] ?? '/bin/sh';
    open(createPrompt({ paint, title: 'Program for the new screen', fallback, submit, ...overlay }));
  };
  const take = (id: string): void => {
    const session = model().sessions.find((one) => one.id === id);
    if (id === NEW) start();
    else if (session) choose(session);
  };
  const foot = 'Enter shows it here · Esc closes';
  open(createPicker({ paint, title: 'Show beside it', entries, at: null, choose: take, foot, ...overlay }));
}

/** Returns the row of a session in a list to choose from. */
export function entryOf(session: Session, index: number, model: Model): PickerEntry {
  const open = openItemsOf(model, session.id).length;
  const { mark, word, style } = shownState(session);
  const doing = session.current_step == null ? commandLine(session.command) : plainLine(session.current_step);
  return {
    id: session.id,
    key: index < 9 ? String(index + 1) : '',
    name: plainLine(session.name),
    words: `${mark} ${word} · ${doing}`,
    note: open > 0 ? `${open} open` : '',
    style,
  };
}
