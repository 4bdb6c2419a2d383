/** The panel beside the terminal of a session: its open questions, and its messages, changes or details. */
import { Link } from 'wouter';
import { messageWords, type Session } from '../../../protocol/index.js';
import { AnswerForm } from '../../inbox/answer-form.js';
import { ItemMark } from '../../inbox/item-mark.js';
import { useOperation } from '../../live/live.js';
import { useSettled } from '../../live/use-settled.js';
import { Age } from '../../parts/age.js';
import { Tabs } from '../../parts/tabs.js';
import { Markdown } from '../../text/markdown.js';
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
  return (
    <aside className="session-side" aria-label="About the session" data-settling={!isSettled}>
      <OpenItems session={session.id} count={session.open_items} />
      <Tabs
        label="About the session"
        className="session-tabs"
        tabs={TABS.map((id) => ({ id, words: TAB_WORDS[id] }))}
        chosen={tab}
        onChoose={onTab}
      />
      {tab === 'messages' && <SessionMessages session={session.id} />}
      {tab === 'changes' && <SessionChanges session={session.id} />}
      {tab === 'details' && <SessionFacts session={session} />}
    </aside>
  );
}

/** The open questions of the session, answered in place. */
function OpenItems({ session, count }: { readonly session: string; readonly count: number }) {
  const { data: items } = useOperation(['inbox'], 'inbox.list', { session }, count > 0);
  if (count === 0 || !items) return null;
  return (
    <section className="open-items" aria-label="Open questions">
      {items.map((item, at) => (
        <article key={item.id} className="open-item">
          <div className="row">
            <ItemMark item={item} />
            <Link href={`/inbox/${item.id}`} className="grow">
              It waits for you
            </Link>
            <Age since={item.opened_at} />
          </div>
          <Markdown text={messageWords(item).subject} />
          {/* The keys of a form belong to one question. */}
          {at === 0 && <AnswerForm item={item} />}
        </article>
      ))}
    </section>
  );
}
