/**
 * The grid: 2 to 9 live screens of sessions beside one another, evenly or as the person has split the terminal. Typed
 * keys go to the focused one, or to all that are marked.
 *
 * In:   keystrokes; those after the prefix are orchd's (keys/grid-keys.ts). Clicks and the wheel.
 * Out:  the screens, painted by cells that differ (cell-painter.ts). Each session has the size of its tile, as in
 *       tmux, until the grid is left.
 * A session that ends keeps its last screen. If the daemon goes away, the streams are opened again.
 */
import type { Client } from '../../client/index.js';
import { MAX_SCREENS, type Session, type Size } from '../../protocol/index.js';
import { sizeOf } from '../attach/attach-target.js';
import {
  chooseForSplit,
  createHelp,
  createStage,
  type Overlay,
  type OverlayPorts,
  type OverlayStage,
} from '../attach/overlays/index.js';
import { createPrefixReader, type GridAction, keyWithoutAction, type PrefixTable, prefixName } from '../keys/index.js';
import { followDaemon } from '../model/follow-daemon.js';
import { EMPTY_MODEL, type Model, openCounts, reduce } from '../model/model.js';
import type { Direction } from '../paint/grid-layout.js';
import type { Paint } from '../paint/paint.js';
import { LEAVE_TUI, MOUSE, whenOver } from '../paint/terminal-reset.js';
import { cut, fill, plainLine, wordsOf } from '../paint/text.js';
import { renameLeaves, type SplitNode, type SplitWay } from '../splits/index.js';
import { CellPainter } from './cell-painter.js';
import { drawCell } from './grid-cell.js';
import { createMouseReader, type MouseReport } from './grid-mouse.js';
import { type GridScreen, GridScreens, type GridSession, type GridTyping, listedSession } from './grid-screens.js';
import { gridStatus } from './grid-status.js';

export interface GridOptions {
  readonly client: Client;
  readonly sessions: readonly GridSession[];
  readonly paint: Paint;
  /** The option `tui.prefix`, or that of the preset. */
  readonly prefix: string;
  /** The keys after the prefix. */
  readonly keys: PrefixTable<GridAction>;
  readonly hasMouse: boolean;
  readonly env: NodeJS.ProcessEnv;
  /** The number of the session that has the focus, from 0. */
  readonly focused?: number;
  /** The arrangement of the screens; the leaves are session ids. Null for an even grid. */
  readonly split: SplitNode | null;
  readonly typing?: GridTyping;
  /** A session to put beside the focused one when the grid opens. */
  readonly add?: { readonly way: SplitWay; readonly session: GridSession };
  /**
   * Saves a split by names.
   * @returns The notice to show.
   * @throws {OrchdError} if it cannot be saved.
   */
  readonly save: (split: SplitNode, sessions: readonly Session[]) => string;
  /** Default: standard input and output. */
  readonly streams?: { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream };
}

/** The reason for leaving the grid, and its content, so that it can be opened again. */
interface GridEnd extends Required<Pick<GridOptions, 'sessions' | 'split' | 'focused' | 'typing'>> {
  readonly kind: 'left' | 'attach' | 'look_back';
}

const ENTER = '\x1b[?1049h\x1b[?7l\x1b[?25l\x1b[0m\x1b[2J';
const BELL = '\x07';
const LEFT_BUTTON = 0;
const WHEEL_UP = 64;
/** Changes of several screens within this time are painted as one frame. */
const FRAME_MS = 25;

/** Resolves when the person leaves, or the terminal is gone. */
export const openGrid = (options: GridOptions): Promise<GridEnd> => new Grid(options).run();

class Grid {
  readonly #options: GridOptions;
  readonly #stdin: NodeJS.ReadStream;
  readonly #stdout: NodeJS.WriteStream;
  readonly #painter: CellPainter;
  readonly #reader: ReturnType<typeof createPrefixReader>;
  readonly #key: string;
  readonly #over = new AbortController();
  readonly #readMouse = createMouseReader();
  /** Set while an overlay has the keys. */
  #stage: OverlayStage | null = null;
  readonly #screens: GridScreens;
  #notice: string | null = null;
  #model: Model = EMPTY_MODEL;
  #timer: NodeJS.Timeout | undefined;
  /** The screens that have changed since the last frame; 'all' also for the status row. */
  #changed: Set<GridScreen> | 'all' = 'all';
  #end: (kind: GridEnd['kind']) => void = () => {};

  constructor(options: GridOptions) {
    this.#options = options;
    const { stdin, stdout } = options.streams ?? process;
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#painter = new CellPainter(stdout);
    this.#reader = createPrefixReader(options.prefix);
    this.#key = prefixName(options.prefix);
    const { client, sessions, split, typing, focused = 0 } = options;
    const onChange = (what: GridScreen | 'all' | 'moved'): void => {
      if (what === 'moved') this.#clear();
      else this.#drawSoon(what);
    };
    this.#screens = new GridScreens(
      { client, room: () => this.#room(), onChange },
      { sessions, split, focused, typing },
    );
  }

  async run(): Promise<GridEnd> {
    const { client, hasMouse, add } = this.#options;
    const stdin = this.#stdin;
    this.#stdout.write(`${ENTER}${hasMouse ? MOUSE.on : ''}`);
    const leave = whenOver(() => {
      this.#painter.close();
      stdin.setRawMode?.(false);
      this.#stdout.write(`${hasMouse ? MOUSE.off : ''}${LEAVE_TUI}`);
    });
    stdin.setRawMode?.(true);
    const onHangup = (): void => this.#end('left');
    stdin.on('data', this.#onInput);
    stdin.on('end', onHangup);
    stdin.resume();
    this.#stdout.on('resize', this.#onResize);
    if (add) this.#add(add.way, add.session);
    this.#drawSoon('all');
    const following = followDaemon({
      client,
      take: (input) => {
        const before = this.#model;
        this.#model = reduce(before, input);
        if (before.sessions !== this.#model.sessions || before.items !== this.#model.items) this.#drawSoon('all');
      },
      lastSeq: () => this.#model.lastSeq,
      now: Date.now,
      signal: this.#over.signal,
    });
    const kind = await new Promise<GridEnd['kind']>((resolve) => {
      this.#end = resolve;
    });
    clearTimeout(this.#timer);
    this.#stage?.end();
    stdin.off('data', this.#onInput);
    stdin.off('end', onHangup);
    stdin.pause();
    this.#stdout.off('resize', this.#onResize);
    this.#screens.close();
    this.#over.abort();
    leave();
    await following;
    const { all, split, focused, typing } = this.#screens;
    return { kind, sessions: all.map(({ session }) => session), split, focused, typing };
  }

  /** The terminal without the status row. */
  #room(): Size {
    const { cols, rows } = sizeOf(this.#stdout);
    return { cols, rows: Math.max(1, rows - 1) };
  }

  #clear(): void {
    this.#painter.forget();
    this.#stdout.write('\x1b[0m\x1b[2J');
    this.#drawSoon('all');
  }

  readonly #onResize = (): void => {
    this.#screens.arrange();
    this.#stage?.draw(true);
  };

  // ── what is typed ─────────────────────────────────────────────────────────────────────────────────────────────────

  readonly #onInput = (chunk: Buffer): void => {
    if (this.#stage) {
      const rest = this.#stage.push(chunk);
      if (rest.length > 0) this.#onInput(rest);
      return;
    }
    if (!this.#options.hasMouse) {
      this.#type(chunk);
      return;
    }
    const { presses, rest } = this.#readMouse(chunk);
    for (const press of presses) this.#point(press);
    if (rest.length > 0) this.#type(rest);
  };

  #point({ button, x, y }: MouseReport): void {
    const at = this.#screens.at(x, y);
    if (at === null || (button !== LEFT_BUTTON && button !== WHEEL_UP)) return;
    this.#screens.focus(at);
    if (button === WHEEL_UP) this.#end('look_back');
  }

  #type(chunk: Buffer): void {
    for (const step of this.#reader.push(chunk)) {
      if (step.kind === 'send') {
        this.#say(null);
        this.#send(step.bytes);
        continue;
      }
      const { keys } = this.#options;
      const action = keys.find(step.key);
      if (action) this.#act(action, keys.numberOf(step.key));
      else if (step.key === 'Escape') this.#say(null);
      else this.#say(keyWithoutAction(this.#key, step.key));
      if (step.rest.length > 0) this.#onInput(step.rest);
    }
    if (this.#reader.isWaiting) this.#say(`${this.#key}:  ${this.#options.keys.hint}`);
  }

  #send(bytes: Buffer): void {
    const isSent = this.#screens.targets().map(({ watch }) => watch.type(bytes));
    if (isSent.length === 0 || isSent.includes(false)) this.#stdout.write(BELL);
  }

  /** @param number  The place of the pressed key among the keys of the action. */
  #act(action: GridAction, number: number): void {
    this.#say(null);
    this.#effects[action](number);
  }

  readonly #effects: Readonly<Record<GridAction, (number: number) => void>> = {
    leave: () => this.#end('left'),
    help: () => this.#openStage(createHelp(this.#options.paint, this.#key, this.#options.keys, this.#overlay)),
    screen: (number) => this.#focusNumber(number),
    left: () => this.#screens.move('left'),
    right: () => this.#screens.move('right'),
    up: () => this.#screens.move('up'),
    down: () => this.#screens.move('down'),
    next: () => this.#screens.focusNext(),
    waiting: () => this.#focusWaiting(),
    attach: () => this.#end('attach'),
    look_back: () => this.#end('look_back'),
    together: () => this.#screens.typeTogether(!this.#screens.isTogether),
    mark: () => this.#screens.mark(),
    split_right: () => this.#chooseFor('|'),
    split_below: () => this.#chooseFor('-'),
    edge_left: () => this.#moveEdge('left'),
    edge_right: () => this.#moveEdge('right'),
    edge_up: () => this.#moveEdge('up'),
    edge_down: () => this.#moveEdge('down'),
    save: () => void this.#save(),
    drop: () => this.#drop(),
  };

  #focusNumber(number: number): void {
    if (number <= this.#screens.all.length) this.#screens.focus(number - 1);
    else this.#say(`there is no screen ${number}`);
  }

  /** Removes the focused screen from the grid, or leaves the grid if it is the only one. */
  #drop(): void {
    if (this.#screens.all.length === 1) this.#end('left');
    else this.#screens.drop();
  }

  // ── splits ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Asks which session is to be shown beside the focused one. */
  #chooseFor(way: SplitWay): void {
    const beside = this.#screens.focusedSession?.id;
    if (beside === undefined) return;
    if (this.#screens.all.length >= MAX_SCREENS) {
      this.#say(`there is room for ${MAX_SCREENS} screens at most`);
      return;
    }
    const { client, env, paint } = this.#options;
    const overlay = this.#overlay;
    const open = (shown: Overlay): void => this.#openStage(shown);
    const fail = (error: unknown): void => this.#say(wordsOf(error));
    const model = (): Model => this.#model;
    const add = (session: GridSession): void => this.#add(way, session);
    chooseForSplit({ client, env, paint, model, overlay, open, fail }, beside, this.#screens.ids, add);
  }

  readonly #overlay: OverlayPorts = {
    redraw: () => this.#stage?.draw(),
    close: (notice) => {
      this.#closeStage();
      if (notice !== undefined) this.#say(notice);
    },
  };

  #openStage(overlay: Overlay): void {
    const { hasMouse } = this.#options;
    const write = (text: string): void => void this.#stdout.write(text);
    this.#stage = createStage({ overlay, hasMouse, size: () => this.#room(), write });
    this.#stage.draw();
  }

  #closeStage(): void {
    this.#stage?.end();
    this.#stage = null;
    // The overlay has restored the modes of a usual terminal, so those of the grid are set again.
    this.#stdout.write(`\x1b[?7l\x1b[?25l${this.#options.hasMouse ? MOUSE.on : ''}`);
    this.#screens.arrange();
  }

  #add(way: SplitWay, session: GridSession): void {
    if (this.#screens.ids.includes(session.id)) this.#say(`${plainLine(session.name)} is shown already`);
    else if (!this.#screens.add(way, session)) this.#say('there is no room for another screen');
  }

  #moveEdge(direction: Direction): void {
    if (!this.#screens.moveEdge(direction)) this.#say('there is no edge to move, or no room');
  }

  async #save(): Promise<void> {
    const { ids, tree } = this.#screens;
    try {
      // The model may not be loaded yet, and has no sessions that ended long ago.
      const sessions = await Promise.all(ids.map((session) => this.#options.client.call('session.show', { session })));
      const split = renameLeaves(tree, (id) => sessions.find((session) => session.id === id)?.name ?? null);
      if (split) this.#say(this.#options.save(split, sessions));
    } catch (error) {
      this.#say(wordsOf(error));
    }
  }

  #focusWaiting(): void {
    const open = openCounts(this.#model.items);
    const next = this.#screens.next((id) => (open.get(id) ?? 0) > 0);
    if (next === undefined) this.#say('none of these sessions waits for you');
    else this.#screens.focus(next);
  }

  // ── drawing ───────────────────────────────────────────────────────────────────────────────────────────────────────

  #say(notice: string | null): void {
    if (notice === this.#notice) return;
    this.#notice = notice;
    this.#drawSoon('all');
  }

  #drawSoon(what: GridScreen | 'all'): void {
    if (what === 'all') this.#changed = 'all';
    else if (this.#changed !== 'all') this.#changed.add(what);
    this.#timer ??= setTimeout(() => this.#draw(), FRAME_MS);
  }

  #draw(): void {
    this.#timer = undefined;
    if (this.#stage) return; // everything is drawn when the overlay is closed
    const changed = this.#changed;
    this.#changed = new Set();
    const { paint } = this.#options;
    const open = openCounts(this.#model.items);
    const { all, tiles, first, focused, isTogether } = this.#screens;
    const targets = this.#screens.targets();
    let cursor: { readonly x: number; readonly y: number } | null = null;
    for (const [cell, tile] of tiles.entries()) {
      const at = first + cell;
      const shown = all[at];
      const isFocused = at === focused;
      if (!shown || (changed !== 'all' && !changed.has(shown) && !isFocused)) continue;
      const { id } = shown.session;
      const drawn = drawCell(paint, tile, {
        number: at + 1,
        view: shown.view,
        open: open.get(id) ?? 0,
        isFocused,
        ...listedSession(shown, this.#model.sessions),
        isMarked: this.#screens.isMarked(id),
        isTyped: isTogether && targets.includes(shown),
      });
      for (const [y, row] of drawn.rows.entries()) this.#painter.put(tile.x, tile.y + y, row);
      if (isFocused && drawn.cursor) cursor = { x: tile.x + drawn.cursor.x, y: tile.y + drawn.cursor.y };
    }
    if (changed === 'all') this.#putFrame();
    this.#painter.flush(cursor);
  }

  /** Draws the lines between the screens, and the status row. */
  #putFrame(): void {
    const { paint } = this.#options;
    const { cols, rows } = sizeOf(this.#stdout);
    for (const { x, y, width, height } of this.#screens.tiles) {
      if (x + width >= cols) continue;
      for (let row = y; row < y + height; row++) this.#painter.put(x + width, row, paint('dim', '│'));
    }
    this.#painter.put(
      0,
      rows - 1,
      paint(
        'inverse',
        fill(cut(` ${this.#notice ?? gridStatus(this.#screens, this.#key, this.#options.keys)}`, cols), cols),
      ),
    );
  }
}
