/** Words for workflow runs and their steps. */
import { placeWords, type WorkflowStep } from '../../protocol/index.js';
import { line } from '../text/label-text.js';
import { markdownLine } from '../text/markdown-line.js';

const NOTE_CHARS = 120;

/** Returns one line about a step: what it waits for, does, asks, or has produced. */
export function stepWords({ state, needs, agents, runs, question, error, values, result }: WorkflowStep): string {
  switch (state) {
    case 'waiting':
      return needs.length === 0 ? '' : line(`after ${needs.join(', ')}`, NOTE_CHARS);
    case 'running': {
      const going = runs.filter((run) => run.state === 'running').length;
      const by = agents.length === 0 ? '' : ` of ${agents.join(', ')}`;
      const places = placesOf(runs);
      return line(`${going} ${going === 1 ? 'run' : 'runs'}${by}${places && `, ${places}`}`, NOTE_CHARS);
    }
    case 'asking':
      return markdownLine(question ?? '', NOTE_CHARS);
    case 'failed':
      return line(error?.message ?? '', NOTE_CHARS);
    case 'skipped':
      return 'its condition did not hold';
    case 'cancelled':
      return '';
    case 'completed':
      return values === null ? markdownLine([result ?? ''].flat().join('\n\n'), NOTE_CHARS) : valuesNote(values);
  }
}

/** True while no machine has taken a run that is placed on a label. */
export const waitsForMachine = ({ state, machine }: WorkflowStep['runs'][number]): boolean =>
  state === 'running' && machine?.startsWith('label:') === true;

/** Returns where the runs that go on are placed; '' for this machine. */
function placesOf(runs: WorkflowStep['runs']): string {
  const places = runs.flatMap(({ state, machine }) => (state === 'running' && machine !== undefined ? machine : []));
  return [...new Set(places)].map(placeWords).join(', ');
}

const valuesNote = (values: NonNullable<WorkflowStep['values']>): string =>
  line(
    Object.entries(values)
      .map(([name, value]) => `${name} = ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(', '),
    NOTE_CHARS,
  );
