/**
 * The layout of the TUI for a terminal size. Pure.
 *
 * `columns`  inbox and sessions at the left, screen and feed (or an item) at the right;
 * `stacked`  inbox, sessions, and one pane that shows screen or feed. An item takes the place of the last two, and
 *            leaves room for the screen if it can;
 * `lists`    inbox and sessions, no pane. An item takes the place of both;
 * `single`   only the region that has the focus;
 * `tiny`     too small for any region.
 * Help and a zoomed pane use the whole body.
 */
import type { Size } from '../../protocol/index.js';

export interface Area {
  readonly width: number;
  readonly height: number;
}

export type Layout = { readonly whole: Area } & Arrangement;

type Arrangement =
  | {
      readonly kind: 'columns';
      readonly inbox: Area;
      readonly sessions: Area;
      readonly upper: Area;
      readonly lower: Area;
    }
  | {
      readonly kind: 'stacked';
      readonly inbox: Area;
      readonly sessions: Area;
      readonly pane: Area;
      readonly item: Area;
    }
  | { readonly kind: 'lists'; readonly inbox: Area; readonly sessions: Area; readonly item: Area }
  | { readonly kind: 'single'; readonly item: Area }
  | { readonly kind: 'tiny' };

export const SMALLEST = { cols: 30, rows: 7 } as const;
const STACKED = { cols: 50, rows: 17 } as const;
const LISTS_ROWS = 12;
const COLUMNS = { cols: 140, rows: 22 } as const;
/** Width of a pane that shows a session of 120 columns, if the terminal is wide enough for the lists as well. */
const PANE_COLS = 122;
const LIST_COLS = { least: 60, most: 84 } as const;
/** Rows of the status line and the line of keys. */
const LINES = 2;

/** Returns the layout of a size. The result is cached by the size object. */
export function layoutOf(size: Size): Layout {
  const known = layouts.get(size);
  if (known) return known;
  const layout = { ...arrange(size), whole: { width: size.cols, height: Math.max(1, size.rows - LINES) } };
  layouts.set(size, layout);
  return layout;
}

const layouts = new WeakMap<Size, Layout>();

function arrange({ cols, rows }: Size): Arrangement {
  const body = rows - LINES;
  const area = (width: number, height: number): Area => ({ width, height });
  if (cols < SMALLEST.cols || rows < SMALLEST.rows) return { kind: 'tiny' };
  if (cols >= COLUMNS.cols && rows >= COLUMNS.rows) {
    const left = clamp(cols - PANE_COLS, LIST_COLS.least, LIST_COLS.most);
    const inbox = Math.floor(body / 2);
    const lower = clamp(Math.round(body * 0.3), 6, 16);
    return {
      kind: 'columns',
      inbox: area(left, inbox),
      sessions: area(left, body - inbox),
      upper: area(cols - left, body - lower),
      lower: area(cols - left, lower),
    };
  }
  if (rows < LISTS_ROWS || cols < STACKED.cols) return { kind: 'single', item: area(cols, body) };
  if (rows < STACKED.rows) {
    const inbox = Math.floor(body / 2);
    return {
      kind: 'lists',
      inbox: area(cols, inbox),
      sessions: area(cols, body - inbox),
      item: area(cols, body),
    };
  }
  const list = clamp(Math.round(body * 0.27), 4, 11);
  return {
    kind: 'stacked',
    inbox: area(cols, list),
    sessions: area(cols, list),
    pane: area(cols, body - 2 * list),
    item: area(cols, body - list),
  };
}

/** Numbers of rows inside the borders. */
interface Wanted {
  readonly inbox: number;
  readonly sessions: number;
  /** Rows of the session's screen; null if none is shown, or if another pane has the larger place. */
  readonly screen: number | null;
}

/**
 * Returns the layout for lists of these lengths. Rows that a list does not fill go to the other list, then to the
 * screen. The result is cached by the layout, for one length of each.
 */
export function fitted(layout: Layout, wanted: Wanted): Layout {
  const key = `${wanted.inbox} ${wanted.sessions} ${wanted.screen}`;
  const known = fittedLayouts.get(layout);
  if (known?.key === key) return known.fit;
  const fit = fitTo(layout, wanted);
  fittedLayouts.set(layout, { key, fit });
  return fit;
}

const fittedLayouts = new WeakMap<Layout, { readonly key: string; readonly fit: Layout }>();
/** Rows of a list with few entries, so that the next entries do not move everything below. */
const MIN_LIST = 4;
const BORDERS = 2;
const MIN_FEED = 6;

function fitTo(layout: Layout, wanted: Wanted): Layout {
  if (layout.kind === 'tiny' || layout.kind === 'single') return layout;
  const first = wanted.inbox + BORDERS;
  const second = wanted.sessions + BORDERS;
  const screen = wanted.screen === null ? Number.POSITIVE_INFINITY : wanted.screen + BORDERS;
  const spare = layout.kind === 'stacked' ? Math.max(0, layout.pane.height - screen) : 0;
  const total = layout.inbox.height + layout.sessions.height + spare;
  const [upper, lower] = shares(total, first, second, layout.kind !== 'stacked');
  const lists = { inbox: { ...layout.inbox, height: upper }, sessions: { ...layout.sessions, height: lower } };
  switch (layout.kind) {
    case 'lists':
      return { ...layout, ...lists };
    case 'stacked': {
      const body = layout.inbox.height + layout.item.height;
      const pane = { ...layout.pane, height: body - upper - lower };
      return { ...layout, ...lists, pane, item: { ...layout.item, height: body - upper } };
    }
    case 'columns': {
      if (wanted.screen === null) return { ...layout, ...lists };
      const body = layout.upper.height + layout.lower.height;
      const feed = clamp(body - screen, MIN_FEED, Math.floor(body / 2));
      const area = (height: number): Area => ({ ...layout.upper, height });
      return { ...layout, ...lists, upper: area(body - feed), lower: area(feed) };
    }
  }
}

/**
 * Divides rows between two lists.
 *
 * @param isFilled True if the lists share all rows. Otherwise rows that neither wants are left over.
 */
function shares(total: number, first: number, second: number, isFilled: boolean): readonly [number, number] {
  const half = Math.floor(total / 2);
  const upper = clamp(first, MIN_LIST, total - MIN_LIST);
  const lower = clamp(second, MIN_LIST, total - MIN_LIST);
  const hasRoom = upper + lower <= total;
  if (hasRoom && !isFilled) return [upper, lower];
  // Lists that fit into their halves keep them, so that nothing moves.
  if (upper <= half && lower <= total - half) return [half, total - half];
  if (upper <= half) return [hasRoom ? total - lower : upper, hasRoom ? lower : total - upper];
  return lower <= total - half ? [total - lower, lower] : [half, total - half];
}

/**
 * Returns the area of an item's details and, if there is room for both, the area of its session's screen below.
 *
 * @param wanted Number of rows of the complete details, with borders.
 */
export function itemAreas(layout: Layout, wanted: number): { readonly item: Area; readonly screen: Area | null } {
  if (layout.kind === 'tiny') return { item: { width: SMALLEST.cols, height: SMALLEST.rows - LINES }, screen: null };
  if (layout.kind === 'lists' || layout.kind === 'single') return { item: layout.item, screen: null };
  const isStacked = layout.kind === 'stacked';
  const { width, height: total } = isStacked
    ? layout.item
    : { width: layout.upper.width, height: layout.upper.height + layout.lower.height };
  const height = isStacked ? wanted : Math.max(wanted, Math.floor(total / 3));
  if (total - height < MIN_SCREEN_ROWS) return { item: { width, height: total }, screen: null };
  return { item: { width, height }, screen: { width, height: total - height } };
}

/** A session's screen with fewer rows is not shown. */
const MIN_SCREEN_ROWS = 5;

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
