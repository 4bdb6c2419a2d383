/** The entries of the palette: pages, commands, open questions, and everything that has a name. */
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { type Item, type Session, subjectOf } from '../../protocol/index.js';
import { toggleTheme } from '../browser/theme.js';
import { useOpenItems } from '../inbox/open-items.js';
import { useLive, useOperation } from '../live/live.js';
import { useMachines } from '../live/machines.js';
import { line } from '../text/label-text.js';
import { markdownLine } from '../text/markdown-line.js';
import { PAGES } from './pages.js';

export interface Entry {
  readonly id: string;
  /** The kind of thing, such as `Session`. */
  readonly group: string;
  readonly text: string;
  /** The keys with the same effect. */
  readonly keys?: readonly string[];
  readonly act: () => void;
}

/** The newest tasks, runs and workflows that the palette finds. */
const MAX_LISTED = 500;

/** @param onKeys  Shows the list of keys. */
export function usePaletteEntries(onKeys: () => void): readonly Entry[] {
  const [, go] = useLocation();
  const { device } = useLive();
  const items = useOpenItems();
  const others = useMachines();
  const sessions = useOperation(['sessions'], 'session.list', {}).data;
  const agents = useOperation(['agents'], 'blueprint.list', {}).data;
  const tasks = useOperation(['tasks'], 'task.list', { limit: MAX_LISTED }).data;
  const workflows = useOperation(['workflows'], 'workflow.list', { limit: MAX_LISTED }).data;
  const runs = useOperation(['runs'], 'run.list', { limit: MAX_LISTED }).data;
  const mayStart = device.role === 'all';
  return useMemo(() => {
    const entry = (group: string, path: string, text: string): Entry => ({
      id: `${group} ${path}`,
      group,
      text,
      act: () => go(path),
    });
    const question = (path: string, item: Item): Entry =>
      entry('Question', `/inbox/${path}`, `${line(item.session_name, 60)}: ${markdownLine(subjectOf(item), 120)}`);
    const session = ({ id, name }: Session): Entry => entry('Session', `/sessions/${id}`, line(name, 120));
    const newest = <T>(all: readonly T[] | undefined): readonly T[] => (all ?? []).toReversed();
    return [
      ...PAGES.map(({ path, title, key }) => ({ ...entry('Page', `/${path}`, title), keys: ['g', key] })),
      ...(mayStart ? STARTS.map(([text, path]) => entry('Command', path, text)) : []),
      { id: 'theme', group: 'Command', text: 'Switch between dark and light', act: toggleTheme },
      { id: 'keys', group: 'Command', text: 'Show the keys', keys: ['?'], act: onKeys },
      ...items.map((item) => question(item.id, item)),
      ...others.items.map(({ machine, item }) => question(`${machine}/${item.id}`, item)),
      ...(sessions ?? []).map(session),
      ...others.sessions.map((other) => session(other.session)),
      ...(agents ?? []).map(({ name }) => entry('Agent', `/agents/${encodeURIComponent(name)}`, line(name, 120))),
      ...newest(tasks).map(({ id, prompt }) => entry('Task', `/tasks/${id}`, markdownLine(prompt, 120))),
      ...newest(workflows).map(({ id, name }) => entry('Workflow', `/workflows/${id}`, line(name, 120))),
      ...newest(runs).map(({ id, prompt, blueprint, adapter }) =>
        entry('Run', `/runs/${id}`, `${line(blueprint ?? adapter, 60)}: ${markdownLine(prompt, 120)}`),
      ),
    ];
  }, [items, others, sessions, agents, tasks, workflows, runs, mayStart, go, onKeys]);
}

const STARTS = [
  ['New session', '/sessions?new=session'],
  ['New task', '/tasks/+new'],
  ['New workflow', '/workflows/+new'],
  ['New agent', '/agents/+new'],
] as const;

/** Returns the entries that have all of the words, those whose text begins with them first. */
export function entriesFor(entries: readonly Entry[], text: string): readonly Entry[] {
  const wanted = text.toLowerCase().trim();
  const words = wanted.split(/\s+/);
  const found = entries.filter((entry) => {
    const all = `${entry.group} ${entry.text}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const begins = (entry: Entry): number => (entry.text.toLowerCase().startsWith(wanted) ? 0 : 1);
  return found.toSorted((a, b) => begins(a) - begins(b));
}
