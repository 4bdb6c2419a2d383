/**
 * The grid: 2 to 9 live screens of sessions beside one another, evenly or as the person has split the terminal. Typed
 * keys go to the focused one, or to all that are marked.
 *
 * In:   keystrokes; those after the prefix are orchd's (attach/keys/grid-keys.ts). Clicks and the wheel.
 * Out:  the screens, painted by cells that differ (cell-painter.ts). Each session has the size of its tile, as in
 *       tmux, until the grid is left.
 * One class, because all of it acts on the screens that are shown at the time.
 * A session that ends keeps its last screen. If the daemon goes away, the streams are opened again.
 */
import type { Client } from '../../client/index.js';
import type { Session, Size } from '../../protocol/index.js';
import { sizeOf } from '../attach/attach-target.js';
import { createPrefixReader, type GridAction, type PrefixTable, prefixName } from '../attach/keys/index.js';
import {
  chooseForSplit,
  createHelp,
  createStage,
  type Overlay,
  type OverlayPorts,
  type OverlayStage,
} from '../attach/overlays/index.js';
import { type ScreenView, type SessionWatch, watchSession } from '../attach/watch-session.js';
import { followDaemon } from '../model/follow-daemon.js';
import { EMPTY_MODEL, type Model, openCounts, reduce } from '../model/model.js';
import type { Paint } from '../paint/paint.js';
import { LEAVE_TUI, MOUSE, whenOver } from '../paint/terminal-reset.js';
import { cut, fill, plainLine, wordsOf } from '../paint/text.js';
import {
  leavesOf,
  moveEdge,
  removeLeaf,
  renameLeaves,
  type SplitNode,
  type SplitWay,
  splitLeaf,
  splitTiles,
  treeOfGrid,
} from '../splits/index.js';
import { type CellPainter, createCellPainter } from './cell-painter.js';
import { drawCell } from './grid-cell.js';
import { type Direction, firstInSight, gridTiles, MAX_SCREENS, neighbour, type Tile, tileAt } from './grid-layout.js';
import { createMouseReader, type MouseReport } from './grid-mouse.js';

export interface GridOptions {
  readonly client: Client;
  readonly sessions: readonly Pick<Session, 'id' | 'name'>[];
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
  /** A session to put beside the focused one at once. */
  readonly add?: { readonly way: SplitWay; readonly session: Pick<Session, 'id' | 'name'> };
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
interface GridEnd {
  readonly kind: 'left' | 'attach' | 'look_back';
  readonly sessions: GridOptions['sessions'];
  readonly split: SplitNode | null;
  readonly focused: number;
}

const ENTER = '\x1b[?1049h\x1b[?7l\x1b[?25l\x1b[0m\x1b[2J';
const BELL = '\x07';
const LEFT_BUTTON = 0;
const WHEEL_UP = 64;
/** Changes of several screens within this time are painted as one frame. */
const FRAME_MS = 25;

/** Resolves when the person leaves, or the terminal is gone. */
export function openGrid(options: GridOptions): Promise<GridEnd> {
  const grid = new Grid(options);
  return grid.run();
}

interface Shown {
  readonly session: Pick<Session, 'id' | 'name'>;
  readonly watch: SessionWatch;
  view: ScreenView | null;
}

class Grid {
  readonly #options: GridOptions;
  readonly #stdin: NodeJS.ReadStream;
  readonly #stdout: NodeJS.WriteStream;
  readonly #painter: CellPainter;
  readonly #reader: ReturnType<typeof createPrefixReader>;
  readonly #key: string;
  readonly #over = new AbortController();
  readonly #readMouse = createMouseReader();
  #shown: Shown[] = [];
  /** The split, with the ids of the sessions in the order of `#shown`; null for an even grid. */
  #split: SplitNode | null;
  #tiles: readonly Tile[] = [];
  /**
   * The number of the first screen that has a tile, if there is no room for all. The focused one always has a tile.
   */
  #first = 0;
  /** Set while an overlay has the keys. */
  #stage: OverlayStage | null = null;
  #focused: number;
  readonly #marked = new Set<string>();
  #isTogether = false;
  #notice: string | null = null;
  #model: Model = EMPTY_MODEL;
  #timer: NodeJS.Timeout | undefined;
  /** The screens that have changed since the last frame; 'all' also for the status row. */
  #changed: Set<Shown> | 'all' = 'all';
  #end: (kind: GridEnd['kind']) => void = () => {};

  constructor(options: GridOptions) {
    this.#options = options;
    const { stdin, stdout } = options.streams ?? process;
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#painter = createCellPainter(stdout);
    this.#reader = createPrefixReader(options.prefix);
    this.#key = prefixName(options.prefix);
    this.#focused = options.focused ?? 0;
    this.#split = options.split;
  }

  async run(): Promise<GridEnd> {
    const { client, hasMouse, sessions } = this.#options;
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
    this.#tiles = this.#tilesOf(sessions.length);
    this.#scrollToFocus(sessions.length);
    this.#shown = sessions.map((session, at) => this.#open(session, at));
    const { add } = this.#options;
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
    for (const { watch } of this.#shown) watch.close();
    this.#over.abort();
    leave();
    await following;
    const sessionsNow = this.#shown.map(({ session }) => session);
    return { kind, sessions: sessionsNow, split: this.#split, focused: this.#focused };
  }

  #open(session: Shown['session'], at: number): Shown {
    const take = (view: ScreenView): void => {
      shown.view = view;
      this.#drawSoon(shown);
    };
    const tile = this.#tiles[at - this.#first];
    const size = innerSize(tile) ?? { cols: 80, rows: 24 };
    const shown: Shown = { session, view: null, watch: watchSession(this.#options.client, take, () => null, { size }) };
    // A session without a cell keeps its size. Its stream is opened when there is room for it.
    if (tile) shown.watch.show(session.id);
    return shown;
  }

  /** The terminal without the status row. */
  #room(): Size {
    const { cols, rows } = sizeOf(this.#stdout);
    return { cols, rows: Math.max(1, rows - 1) };
  }

  /** Returns the tiles of a split, or of an even grid if there is none, or no room for it. */
  #tilesOf(count: number): readonly Tile[] {
    return (this.#split && splitTiles(this.#split, this.#room())) ?? gridTiles(count, this.#room());
  }

  /** Chooses the screens that have a tile: the focused one is among them, and as many others as before stay. */
  #scrollToFocus(count: number): void {
    this.#first = firstInSight(this.#first, this.#focused, this.#tiles.length, count);
  }

  #arrange(): void {
    this.#tiles = this.#tilesOf(this.#shown.length);
    this.#focused = Math.max(0, Math.min(this.#focused, this.#shown.length - 1));
    this.#scrollToFocus(this.#shown.length);
    for (const [at, { watch, session }] of this.#shown.entries()) {
      const size = innerSize(this.#tiles[at - this.#first]);
      if (size) watch.resize(size);
      watch.show(size ? session.id : null);
    }
    this.#painter.forget();
    this.#stdout.write('\x1b[0m\x1b[2J');
    this.#drawSoon('all');
  }

  readonly #onResize = (): void => {
    this.#arrange();
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
    const at = tileAt(this.#tiles, x, y);
    if (at === null || (button !== LEFT_BUTTON && button !== WHEEL_UP)) return;
    this.#focus(this.#first + at);
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
      else
        this.#say(
          `${step.key === '' ? `this key after ${this.#key}` : `${this.#key} ${step.key}`} does nothing; ${this.#key} ? shows the keys`,
        );
      if (step.rest.length > 0) this.#onInput(step.rest);
    }
    if (this.#reader.isWaiting) this.#say(`${this.#key}:  ${this.#options.keys.hint}`);
  }

  #send(bytes: Buffer): void {
    const isSent = this.#targets().map(({ watch }) => watch.type(bytes));
    if (isSent.length === 0 || isSent.includes(false)) this.#stdout.write(BELL);
  }

  /**
   * Returns the screens that receive typed keys: the focused one. With `#isTogether`, the marked ones; without marks,
   * every screen.
   */
  #targets(): readonly Shown[] {
    if (!this.#isTogether) return this.#shown.slice(this.#focused, this.#focused + 1);
    const inSight = this.#shown.slice(this.#first, this.#first + this.#tiles.length);
    return this.#marked.size === 0 ? inSight : inSight.filter(({ session }) => this.#marked.has(session.id));
  }

  /** @param number  The place of the pressed key among the keys of the action. */
  #act(action: GridAction, number: number): void {
    this.#say(null);
    this.#effects[action](number);
  }

  readonly #effects: Readonly<Record<GridAction, (number: number) => void>> = {
    leave: () => this.#end('left'),
    help: () => this.#help(),
    screen: (number) => this.#focusNumber(number),
    left: () => this.#move('left'),
    right: () => this.#move('right'),
    up: () => this.#move('up'),
    down: () => this.#move('down'),
    next: () => this.#focus((this.#focused + 1) % this.#shown.length),
    waiting: () => this.#focusWaiting(),
    attach: () => this.#end('attach'),
    look_back: () => this.#end('look_back'),
    together: () => this.#typeTogether(!this.#isTogether),
    mark: () => this.#mark(),
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
    if (number <= this.#shown.length) this.#focus(number - 1);
    else this.#say(`there is no screen ${number}`);
  }

  #mark(): void {
    const id = this.#shown[this.#focused]?.session.id ?? '';
    if (!this.#marked.delete(id)) this.#marked.add(id);
    this.#drawSoon('all');
  }

  #typeTogether(isTogether: boolean): void {
    this.#isTogether = isTogether;
    this.#drawSoon('all');
  }

  /** Removes the focused screen from the grid; its session continues. */
  #drop(): void {
    if (this.#shown.length === 1) {
      this.#end('left');
      return;
    }
    const [dropped] = this.#shown.splice(this.#focused, 1);
    dropped?.watch.close();
    const id = dropped?.session.id ?? '';
    this.#marked.delete(id);
    this.#split = this.#split && removeLeaf(this.#split, id);
    this.#arrange();
  }

  // ── splits ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Asks which session is to be shown beside the focused one. */
  #chooseFor(way: SplitWay): void {
    const beside = this.#shown[this.#focused]?.session.id;
    if (beside === undefined) return;
    if (this.#shown.length >= MAX_SCREENS) {
      this.#say(`there is room for ${MAX_SCREENS} screens at most`);
      return;
    }
    const { client, env, paint } = this.#options;
    const overlay = this.#overlay;
    const open = (shown: Overlay): void => this.#openStage(shown);
    const fail = (error: unknown): void => this.#say(wordsOf(error));
    const model = (): Model => this.#model;
    const shown = this.#shown.map(({ session }) => session.id);
    chooseForSplit({ client, env, paint, model, overlay, open, fail }, beside, shown, (session) =>
      this.#add(way, session),
    );
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

  #help(): void {
    const { paint, keys } = this.#options;
    this.#openStage(createHelp(paint, this.#key, keys, this.#overlay));
  }

  #closeStage(): void {
    this.#stage?.end();
    this.#stage = null;
    // An overlay leaves the modes of a usual terminal.
    this.#stdout.write(`\x1b[?7l\x1b[?25l${this.#options.hasMouse ? MOUSE.on : ''}`);
    this.#arrange();
  }

  /** Splits the tile of the focused session, and focuses the new one. */
  #add(way: SplitWay, session: Shown['session']): void {
    const beside = this.#shown[this.#focused]?.session.id ?? '';
    const ids = this.#shown.map((one) => one.session.id);
    const split = splitLeaf(this.#split ?? treeOfGrid(ids, this.#tiles), beside, way, session.id);
    if (ids.includes(session.id) || splitTiles(split, this.#room()) === null) {
      this.#say(
        ids.includes(session.id)
          ? `${plainLine(session.name)} is shown already`
          : 'there is no room for another screen',
      );
      return;
    }
    this.#split = split;
    const at = leavesOf(split).indexOf(session.id);
    this.#tiles = this.#tilesOf(ids.length + 1);
    this.#focused = at;
    this.#scrollToFocus(ids.length + 1);
    this.#shown.splice(at, 0, this.#open(session, at));
    this.#arrange();
  }

  #moveEdge(direction: Direction): void {
    const ids = this.#shown.map(({ session }) => session.id);
    const before = this.#split ?? treeOfGrid(ids, this.#tiles);
    const split = moveEdge(before, ids[this.#focused] ?? '', direction);
    if (split === before || splitTiles(split, this.#room()) === null) {
      this.#say('there is no edge to move, or no room');
      return;
    }
    this.#split = split;
    this.#arrange();
  }

  async #save(): Promise<void> {
    const ids = this.#shown.map(({ session }) => session.id);
    const tree = this.#split ?? treeOfGrid(ids, this.#tiles);
    try {
      // The model may not be loaded yet, and has no sessions that ended long ago.
      const sessions = await Promise.all(ids.map((session) => this.#options.client.call('session.show', { session })));
      const split = renameLeaves(tree, (id) => sessions.find((session) => session.id === id)?.name ?? null);
      if (split) this.#say(this.#options.save(split, sessions));
    } catch (error) {
      this.#say(wordsOf(error));
    }
  }

  #focus(at: number): void {
    this.#focused = at;
    const isInSight = at >= this.#first && at < this.#first + this.#tiles.length;
    if (isInSight) this.#drawSoon('all');
    else this.#arrange();
  }

  /** Moves the focus to the neighbour; from the edge, to the next or previous screen that has no tile. */
  #move(direction: Direction): void {
    const here = this.#focused - this.#first;
    const at = neighbour(this.#tiles, here, direction);
    const beyond = this.#focused + (direction === 'right' || direction === 'down' ? 1 : -1);
    const isHidden = beyond < this.#first || beyond >= this.#first + this.#tiles.length;
    if (at !== here) this.#focus(this.#first + at);
    else if (isHidden && beyond >= 0 && beyond < this.#shown.length) this.#focus(beyond);
  }

  #focusWaiting(): void {
    const open = openCounts(this.#model.items);
    const order = this.#shown.map((_, i) => (this.#focused + 1 + i) % this.#shown.length);
    const next = order.find((at) => (open.get(this.#shown[at]?.session.id ?? '') ?? 0) > 0);
    if (next === undefined) this.#say('none of these sessions waits for you');
    else this.#focus(next);
  }

  // ── drawing ───────────────────────────────────────────────────────────────────────────────────────────────────────

  #say(notice: string | null): void {
    if (notice === this.#notice) return;
    this.#notice = notice;
    this.#drawSoon('all');
  }

  #drawSoon(what: Shown | 'all'): void {
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
    const targets = this.#targets();
    let cursor: { readonly x: number; readonly y: number } | null = null;
    for (const [cell, tile] of this.#tiles.entries()) {
      const at = this.#first + cell;
      const shown = this.#shown[at];
      const isFocused = at === this.#focused;
      if (!shown || (changed !== 'all' && !changed.has(shown) && !isFocused)) continue;
      const { id } = shown.session;
      const drawn = drawCell(paint, tile, {
        number: at + 1,
        view: shown.view,
        open: open.get(id) ?? 0,
        isFocused,
        session: this.#model.sessions.find((session) => session.id === id),
        isMarked: this.#marked.has(id),
        isTyped: this.#isTogether && targets.includes(shown),
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
    for (const { x, y, width, height } of this.#tiles) {
      if (x + width >= cols) continue;
      for (let row = y; row < y + height; row++) this.#painter.put(x + width, row, paint('dim', '│'));
    }
    this.#painter.put(0, rows - 1, paint('inverse', fill(cut(` ${this.#notice ?? this.#status()}`, cols), cols)));
  }

  #status(): string {
    const focused = this.#shown[this.#focused]?.session;
    const count = this.#targets().length;
    const hidden = this.#shown.length - this.#tiles.length;
    const typed = this.#isTogether
      ? `typing into ${this.#marked.size === 0 ? 'all' : 'the marked'} ${count}`
      : `typing into ${focused ? plainLine(focused.name) : 'nothing'}`;
    const kind = this.#split ? 'split' : 'grid';
    const room = hidden > 0 ? ` · no room for ${hidden} more` : '';
    const hints = (['leave', 'help'] as const).flatMap((action) => {
      const { keys: [first] = [], word = '' } = this.#options.keys.table.find((entry) => entry.action === action) ?? {};
      return first === undefined ? [] : [`${this.#key} ${first} ${action === 'leave' ? 'leaves' : word}`];
    });
    return [typed, ...hints, `${kind} of ${this.#tiles.length}${room}`].join(' · ');
  }
}

function innerSize(tile: Tile | undefined): Size | null {
  return tile ? { cols: tile.width, rows: Math.max(1, tile.height - 1) } : null;
}
