/**
 * The screens of a grid: which sessions have a tile, where, and which of them typed keys go to.
 *
 * In:   the sessions, the size of the terminal, and what the person does: focus, mark, split, move an edge, drop.
 * Out:  a watched screen for each session, at the size of its tile. Says what has to be painted again (`onChange`).
 *       Paints nothing.
 */
import type { Client } from '../../client/index.js';
import type { Session, Size } from '../../protocol/index.js';
import { type ScreenView, SessionWatch } from '../model/watch-session.js';
import { type Direction, firstInSight, gridTiles, neighbour, type Tile, tileAt } from '../paint/grid-layout.js';
import {
  leavesOf,
  moveEdge,
  removeLeaf,
  type SplitNode,
  type SplitWay,
  splitLeaf,
  splitTiles,
  treeOfGrid,
} from '../splits/index.js';

export type GridSession = Pick<Session, 'id' | 'name'>;

export interface GridScreen {
  readonly session: GridSession;
  readonly watch: SessionWatch;
  view: ScreenView | null;
  /** True once the list of sessions has contained it. */
  isListed: boolean;
}

/** The screens that typed keys go to; the focused one alone, unless it is given. */
export interface GridTyping {
  /** The ids of the marked sessions. */
  readonly marked: ReadonlySet<string>;
  /** True if keys go to the marked screens, or to all if none is marked; false for the focused one. */
  readonly isTogether: boolean;
}

interface GridContent {
  readonly sessions: readonly GridSession[];
  readonly split: SplitNode | null;
  readonly focused: number;
  readonly typing: GridTyping | undefined;
}

interface GridScreensPorts {
  readonly client: Client;
  /** The room for the tiles: the terminal without the status row. */
  readonly room: () => Size;
  /**
   * Called when a screen has to be painted again; 'all': the status row and the frame too; 'moved': on a clear
   * terminal.
   */
  readonly onChange: (what: GridScreen | 'all' | 'moved') => void;
}

export class GridScreens {
  readonly #ports: GridScreensPorts;
  readonly #shown: GridScreen[];
  /** The split, with the ids of the sessions in the order of `#shown`; null for an even grid. */
  #split: SplitNode | null;
  #tiles: readonly Tile[] = [];
  /** The number of the first screen that has a tile, if there is no room for all. The focused one always has a tile. */
  #first = 0;
  #focused: number;
  readonly #marked: Set<string>;
  #isTogether: boolean;

  constructor(ports: GridScreensPorts, { sessions, split, focused, typing }: GridContent) {
    this.#ports = ports;
    this.#split = split;
    this.#focused = focused;
    this.#marked = new Set(typing?.marked);
    this.#isTogether = typing?.isTogether ?? false;
    this.#tiles = this.#tilesOf(sessions.length);
    this.#scrollToFocus(sessions.length);
    this.#shown = sessions.map((session, at) => this.#open(session, at));
  }

  get typing(): GridTyping {
    return { marked: this.#marked, isTogether: this.#isTogether };
  }

  get all(): readonly GridScreen[] {
    return this.#shown;
  }
  get ids(): readonly string[] {
    return this.#shown.map(({ session }) => session.id);
  }
  get tiles(): readonly Tile[] {
    return this.#tiles;
  }
  /** The number of the first screen that has a tile, from 0. */
  get first(): number {
    return this.#first;
  }
  /** The number of the screen that has the focus, from 0. */
  get focused(): number {
    return this.#focused;
  }
  get focusedSession(): GridSession | undefined {
    return this.#shown[this.#focused]?.session;
  }
  /** Null for an even grid. */
  get split(): SplitNode | null {
    return this.#split;
  }
  /** The split that shows the same tiles. */
  get tree(): SplitNode {
    return this.#split ?? treeOfGrid(this.ids, this.#tiles);
  }
  get marks(): number {
    return this.#marked.size;
  }
  /** True if typed keys go to several screens. */
  get isTogether(): boolean {
    return this.#isTogether;
  }

  isMarked(id: string): boolean {
    return this.#marked.has(id);
  }

  /**
   * Returns the screens that receive typed keys: the focused one. While keys go to several, the marked ones; without
   * marks, every screen.
   */
  targets(): readonly GridScreen[] {
    if (!this.#isTogether) return this.#shown.slice(this.#focused, this.#focused + 1);
    const inSight = this.#shown.slice(this.#first, this.#first + this.#tiles.length);
    return this.#marked.size === 0 ? inSight : inSight.filter(({ session }) => this.#marked.has(session.id));
  }

  /** Returns the number of the screen at a cell of the terminal; null if there is none. */
  at(x: number, y: number): number | null {
    const at = tileAt(this.#tiles, x, y);
    return at === null ? null : this.#first + at;
  }

  /** Fits the tiles to the room, and each session to its tile. */
  arrange(): void {
    this.#tiles = this.#tilesOf(this.#shown.length);
    this.#focused = Math.max(0, Math.min(this.#focused, this.#shown.length - 1));
    this.#scrollToFocus(this.#shown.length);
    for (const [at, { watch, session }] of this.#shown.entries()) {
      const size = innerSize(this.#tiles[at - this.#first]);
      if (size) watch.resize(size);
      watch.show(size ? session.id : null);
    }
    this.#ports.onChange('moved');
  }

  focus(at: number): void {
    this.#focused = at;
    const isInSight = at >= this.#first && at < this.#first + this.#tiles.length;
    if (isInSight) this.#ports.onChange('all');
    else this.arrange();
  }

  focusNext(): void {
    this.focus((this.#focused + 1) % this.#shown.length);
  }

  /** Moves the focus to the neighbour; from the edge, to the next or previous screen that has no tile. */
  move(direction: Direction): void {
    const here = this.#focused - this.#first;
    const at = neighbour(this.#tiles, here, direction);
    const beyond = this.#focused + (direction === 'right' || direction === 'down' ? 1 : -1);
    const isHidden = beyond < this.#first || beyond >= this.#first + this.#tiles.length;
    if (at !== here) this.focus(this.#first + at);
    else if (isHidden && beyond >= 0 && beyond < this.#shown.length) this.focus(beyond);
  }

  /** Returns the number of the next screen after the focused one whose session is meant; undefined for none. */
  next(isMeant: (id: string) => boolean): number | undefined {
    const order = this.#shown.map((_, i) => (this.#focused + 1 + i) % this.#shown.length);
    return order.find((at) => isMeant(this.#shown[at]?.session.id ?? ''));
  }

  mark(): void {
    const id = this.focusedSession?.id ?? '';
    if (!this.#marked.delete(id)) this.#marked.add(id);
    this.#ports.onChange('all');
  }

  typeTogether(isTogether: boolean): void {
    this.#isTogether = isTogether;
    this.#ports.onChange('all');
  }

  /** Removes the focused screen from the grid; its session continues. */
  drop(): void {
    const [dropped] = this.#shown.splice(this.#focused, 1);
    dropped?.watch.close();
    const id = dropped?.session.id ?? '';
    this.#marked.delete(id);
    this.#split = this.#split && removeLeaf(this.#split, id);
    this.arrange();
  }

  /**
   * Splits the tile of the focused session, and focuses the new one.
   *
   * @returns False if there is no room.
   */
  add(way: SplitWay, session: GridSession): boolean {
    const { ids } = this;
    const split = splitLeaf(this.tree, this.focusedSession?.id ?? '', way, session.id);
    if (splitTiles(split, this.#ports.room()) === null) return false;
    this.#split = split;
    const at = leavesOf(split).indexOf(session.id);
    this.#tiles = this.#tilesOf(ids.length + 1);
    this.#focused = at;
    this.#scrollToFocus(ids.length + 1);
    this.#shown.splice(at, 0, this.#open(session, at));
    this.arrange();
    return true;
  }

  /** @returns False if there is no edge to move, or no room. */
  moveEdge(direction: Direction): boolean {
    const before = this.tree;
    const split = moveEdge(before, this.focusedSession?.id ?? '', direction);
    if (split === before || splitTiles(split, this.#ports.room()) === null) return false;
    this.#split = split;
    this.arrange();
    return true;
  }

  close(): void {
    for (const { watch } of this.#shown) watch.close();
  }

  #open(session: GridSession, at: number): GridScreen {
    const take = (view: ScreenView): void => {
      shown.view = view;
      this.#ports.onChange(shown);
    };
    const tile = this.#tiles[at - this.#first];
    const size = innerSize(tile) ?? { cols: 80, rows: 24 };
    const watch = new SessionWatch({ client: this.#ports.client, take, typing: { size } });
    const shown: GridScreen = { session, view: null, watch, isListed: false };
    // A session without a cell keeps its size. Its stream is opened when there is room for it.
    if (tile) shown.watch.show(session.id);
    return shown;
  }

  /** Returns the tiles of a split, or of an even grid if there is none, or no room for it. */
  #tilesOf(count: number): readonly Tile[] {
    return (this.#split && splitTiles(this.#split, this.#ports.room())) ?? gridTiles(count, this.#ports.room());
  }

  /** Chooses the screens that have a tile: the focused one is among them, and as many others as before stay. */
  #scrollToFocus(count: number): void {
    this.#first = firstInSight(this.#first, this.#focused, this.#tiles.length, count);
  }
}

/**
 * Returns what the list of sessions has about the session of a screen, and notes that it has it: a session that was
 * listed once, and is not any more, was removed.
 */
export function listedSession(shown: GridScreen, sessions: readonly Session[]) {
  const session = sessions.find(({ id }) => id === shown.session.id);
  shown.isListed ||= session !== undefined;
  return { name: shown.session.name, session, isRemoved: shown.isListed && session === undefined };
}

function innerSize(tile: Tile | undefined): Size | null {
  return tile ? { cols: tile.width, rows: Math.max(1, tile.height - 1) } : null;
}
