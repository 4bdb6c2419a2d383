/**
 * Parses the commands of the plain mode. Pure.
 *
 * An item is named by its number. Sessions and workflows are named by name, id, or the beginning of either. A number
 * alone shows the item.
 */
export type PlainCommand =
  | {
      readonly kind:
        | 'help'
        | 'inbox'
        | 'sessions'
        | 'workflows'
        | 'tasks'
        | 'runs'
        | 'blueprints'
        | 'events'
        | 'quit'
        | 'nothing';
    }
  | { readonly kind: 'show' | 'decline'; readonly item: number }
  | { readonly kind: 'answer'; readonly item: number; readonly text: string }
  | { readonly kind: 'screen' | 'attach' | 'kill'; readonly session: string }
  | { readonly kind: 'steps' | 'cancel'; readonly workflow: string }
  /** Resumes a workflow from a step; null: from the steps that are not completed. */
  | { readonly kind: 'resume'; readonly workflow: string; readonly from: string | null }
  | { readonly kind: 'rename'; readonly session: string; readonly name: string }
  | { readonly kind: 'new'; readonly command: string }
  /** Acts on a task, a run or a blueprint, named by its id or name. */
  | { readonly kind: 'details' | 'plan' | 'start' | 'retry'; readonly about: string }
  /** Creates a task, which is then planned, or a run. The prompt of a run may start with the name of a blueprint. */
  | { readonly kind: 'task' | 'do'; readonly prompt: string }
  | { readonly kind: 'wrong'; readonly problem: string };

interface CommandWords {
  readonly name: PlainCommand['kind'];
  readonly args: string;
  readonly words: string;
  /**
   * True if the command cannot be abbreviated. An abbreviation thereby keeps the meaning that it had before this
   * command existed.
   */
  readonly isWhole?: true;
}

/** The commands in the order of help. A unique beginning of a name is enough. */
export const PLAIN_COMMANDS: readonly CommandWords[] = [
  { name: 'inbox', args: '', words: 'what waits for you, numbered' },
  { name: 'show', args: 'NUMBER', words: 'an item whole; the number alone does the same' },
  { name: 'answer', args: 'NUMBER TEXT', words: 'answer it; a digit alone chooses that option; \\n begins a new line' },
  { name: 'decline', args: 'NUMBER', words: 'decline it, or put it away' },
  { name: 'sessions', args: '', words: 'all sessions and their states' },
  { name: 'screen', args: 'SESSION', words: 'what its screen shows, as text' },
  { name: 'attach', args: 'SESSION', words: 'sit at its terminal, which the program draws' },
  { name: 'new', args: 'COMMAND', words: 'start a program in a new session' },
  { name: 'rename', args: 'SESSION NAME', words: 'give it another name' },
  { name: 'kill', args: 'SESSION', words: 'end its program, after you say yes' },
  { name: 'workflows', args: '', words: 'the workflows, and how far they are' },
  { name: 'steps', args: 'WORKFLOW', words: 'the steps of one, what they made and why they failed' },
  { name: 'cancel', args: 'WORKFLOW, TASK or RUN', words: 'end it and all that it started, after you say yes' },
  {
    name: 'resume',
    args: 'WORKFLOW [from STEP]',
    words: 'resume one that failed or was cancelled; with STEP, run it and all after it again',
  },
  { name: 'tasks', args: '', words: 'the tasks, and what they wait for' },
  { name: 'runs', args: '', words: 'the runs of agents' },
  { name: 'blueprints', args: '', words: 'the agents that have a name' },
  {
    name: 'details',
    args: 'TASK, RUN or BLUEPRINT',
    words: 'all that is known of it: attempts, errors, history',
    isWhole: true,
  },
  { name: 'task', args: 'PROMPT', words: 'a new task, which is planned at once' },
  { name: 'plan', args: 'TASK', words: 'let the planner plan it, or plan it again' },
  { name: 'start', args: 'TASK', words: 'start what is planned', isWhole: true },
  { name: 'retry', args: 'TASK or RUN', words: 'do a failed task again; run the same once more', isWhole: true },
  { name: 'do', args: '[BLUEPRINT:] PROMPT', words: 'start a run, of a blueprint if you say which', isWhole: true },
  { name: 'events', args: '', words: 'say everything that happens, or again only what waits' },
  { name: 'help', args: '', words: 'this list' },
  { name: 'quit', args: '', words: 'leave; daemon and sessions go on' },
];

export const plainHelp = (): string[] =>
  PLAIN_COMMANDS.map(({ name, args, words }) => `${[name, args].filter(Boolean).join(' ')}: ${words}.`);

export function readPlainCommand(line: string): PlainCommand {
  const text = line.trim();
  if (text === '') return { kind: 'nothing' };
  if (text === '?') return { kind: 'help' };
  const [, word = '', rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  if (/^\d+$/.test(text)) return { kind: 'show', item: Number(text) };
  const typed = word.toLowerCase();
  const found = PLAIN_COMMANDS.filter(({ name, isWhole }) => (isWhole ? name === typed : name.startsWith(typed)));
  const exact = found.find(({ name }) => name === typed) ?? (found.length === 1 ? found[0] : undefined);
  if (!exact) {
    const names = found.map(({ name }) => name).join(', ');
    return {
      kind: 'wrong',
      problem: names === '' ? `there is no command ${word}; type help` : `${word} may be ${names}`,
    };
  }
  return withArguments(exact, rest);
}

function withArguments({ name, args }: CommandWords, rest: string): PlainCommand {
  const [, first = '', text = ''] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
  const item = /^\d+$/.test(first) ? Number(first) : null;
  const wrong: PlainCommand = { kind: 'wrong', problem: `say ${name} ${args}` };
  switch (name) {
    case 'show':
    case 'decline':
      return item === null ? wrong : { kind: name, item };
    case 'answer':
      return item === null || text === '' ? wrong : { kind: name, item, text: text.replaceAll('\\n', '\n') };
    case 'screen':
    case 'attach':
    case 'kill':
      return first === '' ? wrong : { kind: name, session: rest.trim() };
    case 'steps':
    case 'cancel':
      return first === '' ? wrong : { kind: name, workflow: rest.trim() };
    case 'resume': {
      const [, workflow = rest.trim(), from = null] = /^(.*\S)\s+from\s+(\S+)\s*$/.exec(rest) ?? [];
      return first === '' ? wrong : { kind: name, workflow, from };
    }
    case 'details':
    case 'plan':
    case 'start':
    case 'retry':
      return first === '' ? wrong : { kind: name, about: rest.trim() };
    case 'task':
    case 'do':
      return rest === '' ? wrong : { kind: name, prompt: rest.replaceAll('\\n', '\n') };
    case 'rename':
      return first === '' || text === '' ? wrong : { kind: name, session: first, name: text };
    case 'new':
      // As in `orchd run`, the command may start with `--`.
      return rest === '' ? wrong : { kind: name, command: rest.replace(/^--\s+/, '') };
    case 'nothing':
    case 'wrong':
      return wrong;
    default:
      return { kind: name };
  }
}
