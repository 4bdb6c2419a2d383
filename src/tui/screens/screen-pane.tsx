/** A session's live screen, cropped to the pane: its left columns and the rows around the latest output. */

import type { Session } from '../../protocol/index.js';
import type { ScreenView } from '../model/watch-session.js';
import type { Area } from '../paint/layout.js';
import type { Paint } from '../paint/paint.js';
import { Rows } from '../paint/rows-view.js';
import { screenRows } from '../rows/screen-rows.js';

interface ScreenPaneProps {
  readonly paint: Paint;
  readonly area: Area;
  readonly session: Session | null;
  readonly view: ScreenView | null;
}

/** Shows the screen of one session. */
export function ScreenPane({ paint, area, session, view }: ScreenPaneProps) {
  return <Rows rows={screenRows(paint, area, session, view)} />;
}
