/** The options of `npm run test:agents`, with their help text. */
import { parseArgs } from 'node:util';
import { AGENTS, type Agent } from './agents.js';
import { defaultCache } from './install.js';
import { OTHER_PROGRAMS } from './other-programs.js';

const HELP = `npm run test:agents [-- OPTIONS]

Runs real agent programs in their own terminals against a scripted model server on loopback. No account is needed.
Installs what is missing, prints a table, and exits with 1 if orchd said or did anything wrong. ^C ends and removes everything.

Which programs:
  --only claude,kilo     only these; also programs of which orchd reads only the screen (kilo, continue, cline, grok,
                         nanocoder, open-codex, kimi, mastracode, cipher, oh-my-pi, command-code)
  --others               all programs of which orchd reads only the screen, and no others
  --latest               the newest versions that npm has instead of the pinned ones; what does not run here is left out
  --size 80x24,200x50    terminal sizes
  --node FILE            the Node that the programs run on, if they need a newer one than this
  --limit MINUTES        each program may take so long for each test (default 15); one that takes longer has failed

What is tried (without any of these: an interview of --questions 20):
  --texts                25 hard questions and 25 hard answers; what the model received is compared with the raw request
  --exit-words           answers such as "exit" and ":q", which must reach the model and must not end the program
  --drafts               an answer while a person's half-typed text stands in the composer; --times N for each case
  --sizes                questions at 40x12, 60x20, 100x30 and 250x80, and while the size changes
  --two-open             two open questions, answered in reverse order
  --cases                a question after a new conversation (/clear), a file that a person shows (!cat), a dialog
                         that flickers (Claude Code in auto mode)
  --fixture FILE         with --texts: other questions and answers (format: test/agents/texts.ts)
  --from N --to N        with --texts and --exit-words: only these rounds of the file, from 1
  --crash                kills the daemon with kill -9 at random moments, meanwhile
  --screen               hosts the agents as any other program: only the screen is heard
  --in-shell             a person starts the agent in a shell of its session; with --texts, --drafts and the like
  --permission           the agent asks for permission; the person decides in the inbox, in the terminal, by a hook
  --batch                without a terminal
  --tools                the agent is offered orchd's tools; with --batch: in a run
  --tasks                a task that the agent plans and does
  --workflows            agents side by side, a synthesis and a pipeline; --mixed: all agents in one
  --runs                 runs with an output schema: --times 20, --parallel 2, --interactive
  --forged               messages that are shown or quoted must not be heard; with --key or --teach

Result:
  --json                 as JSON, nothing else
  --write docs/agents.md put the rows of the table into that file, each as soon as it is there
  --keep                 leave homes, journals and events where they are
  --cache DIR            where agents are installed
  --seed N               of all random moments
`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    only: { type: 'string' },
    others: { type: 'boolean', default: false },
    latest: { type: 'boolean', default: false },
    size: { type: 'string' },
    node: { type: 'string' }, // read by program-node.ts
    limit: { type: 'string', default: '15' },
    questions: { type: 'string', default: '20' },
    texts: { type: 'boolean', default: false },
    'exit-words': { type: 'boolean', default: false },
    drafts: { type: 'boolean', default: false },
    sizes: { type: 'boolean', default: false },
    'two-open': { type: 'boolean', default: false },
    cases: { type: 'boolean', default: false },
    fixture: { type: 'string' },
    from: { type: 'string', default: '1' },
    to: { type: 'string' },
    crash: { type: 'boolean', default: false },
    cache: { type: 'string', default: defaultCache() },
    keep: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    write: { type: 'string' },
    screen: { type: 'boolean', default: false },
    'in-shell': { type: 'boolean', default: false },
    permission: { type: 'boolean', default: false },
    batch: { type: 'boolean', default: false },
    tools: { type: 'boolean', default: false },
    runs: { type: 'boolean', default: false },
    tasks: { type: 'boolean', default: false },
    workflows: { type: 'boolean', default: false },
    mixed: { type: 'boolean', default: false },
    times: { type: 'string' },
    parallel: { type: 'string', default: '2' },
    interactive: { type: 'boolean', default: false },
    forged: { type: 'boolean', default: false },
    key: { type: 'boolean', default: false },
    teach: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
  },
});

export type Options = typeof values;

/** Reads the command line. Prints the help or an error, and ends the process if there is nothing to run. */
export function readOptions(): Options {
  if (values.help) {
    console.log(HELP);
    process.exit(0);
  }
  if (!(Number(values.limit) > 0)) {
    console.error(`--limit ${values.limit}: a number of minutes`);
    process.exit(2);
  }
  const all = [...AGENTS, ...OTHER_PROGRAMS];
  const unknown = values.only?.split(',').find((name) => !all.some((agent) => agent.name === name));
  if (unknown === undefined) return values;
  console.error(`no agent '${unknown}'; there are: ${all.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

/** Returns the chosen programs. Default, without `--only` and `--others`: all programs with an adapter. */
export function agentsOf({ only, others }: Options): Agent[] {
  if (only !== undefined) return [...AGENTS, ...OTHER_PROGRAMS].filter(({ name }) => only.split(',').includes(name));
  return [...(others ? OTHER_PROGRAMS : AGENTS)];
}

export function sizesOf(size: string): { cols: number; rows: number }[] {
  return size.split(',').map((one) => {
    const [cols = 80, rows = 24] = one.split('x').map(Number);
    return { cols, rows };
  });
}
