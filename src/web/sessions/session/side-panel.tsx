/** The panel beside the terminal of a session: its messages, changes or details, and below them its open questions. */
import type { Session } from '../../../protocol/index.js';
import { useReading } from '../../browser/use-reading.js';
import { useSettled } from '../../live/use-settled.js';
import { ScrollRegion } from '../../parts/scroll-region.js';
import { Tabs } from '../../parts/tabs.js';
import { OpenItems } from './open-items.js';
import { SessionChanges } from './session-changes.js';
import { SessionFacts } from './session-facts.js';
import { SessionMessages } from './session-messages.js';

export const TABS = ['messages', 'changes', 'details'] as const;
type TabName = (typeof TABS)[number];
const TAB_WORDS: Readonly<Record<TabName, string>> = { messages: 'Messages', changes: 'Changes', details: 'Details' };

interface SidePanelProps {
  readonly session: Session;
  readonly tab: TabName;
  readonly onTab: (tab: TabName) => void;
}

export function SidePanel({ session, tab, onTab }: SidePanelProps) {
  const isSettled = useSettled();
  const [isReading, place] = useReading();
  return (
    <aside className="session-side" aria-label="About the session" data-settling={!isSettled}>
      <Tabs
        label="About the session"
        className="session-tabs"
        tabs={TABS.map((id) => ({ id, words: TAB_WORDS[id] }))}
        chosen={tab}
        onChoose={onTab}
      />
      <ScrollRegion label={`${TAB_WORDS[tab]} of the session`} className="session-side-body" place={place}>
        {tab === 'messages' && <SessionMessages session={session.id} isReading={isReading} />}
        {tab === 'changes' && <SessionChanges session={session.id} />}
        {tab === 'details' && <SessionFacts session={session} />}
      </ScrollRegion>
      <OpenItems session={session} isReading={isReading} />
    </aside>
  );
}
