/**
 * Adds one of each kind to a copy of the source, as CONTRIBUTING.md says, and uses it: a message type, an operation, a
 * tool, an event, a command, a subcommand, an option, a store backend and an adapter. The table below lists the changes
 * of each. Nothing else in the copy is changed by hand.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HardTest } from './run.js';

const ROOT = join(import.meta.dirname, '../..');

type Json = Record<string, unknown>;

/** A new file, a line before the line that contains `before`, or words in a line. */
type Change =
  | { readonly file: string; readonly text: string }
  | { readonly file: string; readonly before: string; readonly line: string }
  | { readonly file: string; readonly find: string; readonly replacement: string };

const ADDITIONS: Readonly<Record<string, readonly Change[]>> = {
  'a message type that asks': [
    {
      file: 'src/protocol/messages/need-access.ts',
      text: `import { type MessageKind, markdown } from './message-kind.js';

export const NEED_ACCESS: MessageKind = {
  shape: 'NeedAccessMessage',
  state: () => 'waiting',
  item: { mark: 'A', style: 'yellow', word: 'access', title: 'needs access', options: ['granted', 'refused: '], parentMayAnswer: false },
  words: { subject: 'what', fields: [markdown('why', 'Why')] },
  prompt: 'when a permission is missing: what*, why.',
  tool: { name: 'need_access', place: 7, summary: 'Ask for a permission. what must be there.', waits: true },
};
`,
    },
    line(
      'src/protocol/messages/index.ts',
      'export const MESSAGES = {',
      "import { NEED_ACCESS } from './need-access.js';",
    ),
    line('src/protocol/messages/index.ts', '  OUTPUT,', '  NEED_ACCESS,'),
    {
      file: 'protocol/messages/need-access.schema.json',
      text: JSON.stringify({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title: 'NeedAccess',
        description: 'A permission is missing. Opens an inbox item.',
        type: 'object',
        required: ['type', 'data'],
        properties: {
          type: { const: 'NEED_ACCESS' },
          id: { type: 'string' },
          data: {
            type: 'object',
            required: ['what'],
            properties: { what: { type: 'string', description: 'The permission.' }, why: { type: 'string' } },
          },
        },
        examples: [{ type: 'NEED_ACCESS', data: { what: 'write to the registry' } }],
      }),
    },
  ],
  'an operation': [
    line(
      'src/protocol/operations.ts',
      "  'daemon.stop': operation",
      `  'daemon.echo': operation<shapes.DaemonEchoInput, shapes.DaemonEchoOutput>({
    route: 'GET /api/echo', scope: 'any', reads: 'everything', cli: 'echo', summary: 'Returns the text.',
  }),`,
    ),
    line(
      'src/daemon/handlers/daemon.ts',
      "    'daemon.status': async",
      "    'daemon.echo': async ({ text }) => ({ text }),",
    ),
  ],
  'a command': [
    {
      file: 'src/cli/commands/echo.ts',
      text: `import type { CommandSpec } from '../program/command.js';

export const echo: CommandSpec = {
  name: 'echo',
  group: 'About orchd',
  summary: 'Print a text.',
  args: '<text>',
  examples: ['orchd echo hello'],
  async run(context, [text = '']) {
    await context.write((await context.client().call('daemon.echo', { text })).text);
    return undefined;
  },
};
`,
    },
    line('src/cli/commands/index.ts', 'export const COMMANDS', "import { echo } from './echo.js';"),
    line('src/cli/commands/index.ts', '  completion,', '  echo,'),
  ],
  'a subcommand': [
    {
      file: 'src/cli/runs/count.ts',
      text: `import type { ActionSpec } from '../program/command.js';

export const count: ActionSpec = {
  name: 'count',
  summary: 'Count the runs.',
  options: [['--state <state>', 'only those that are queued, running or failed']],
  async run(context) {
    const runs = await context.client().call('run.list', {});
    await context.print(runs.length, () => \`\${runs.length} runs\\n\`);
    return undefined;
  },
};
`,
    },
    line('src/cli/commands/runs.ts', 'import { parseDuration }', "import { count } from '../runs/count.js';"),
    {
      file: 'src/cli/commands/runs.ts',
      find: 'const ACTIONS: readonly ActionSpec[] = [',
      replacement: 'const ACTIONS: readonly ActionSpec[] = [count,',
    },
  ],
  'an option': [
    line(
      'src/protocol/config/config.ts',
      '    cols: option<number>',
      "    greeting: option<string>('hello', 'A greeting.'),",
    ),
  ],
  'a store backend': [
    {
      file: 'src/store/other-store.ts',
      text: `import type { StoreBackend } from './contract.js';
import { sqlite } from './sqlite-store.js';

export const other: StoreBackend = { ...sqlite, name: 'other' };
`,
    },
    line('src/store/conformance.test.ts', 'import { sqlite } from', "import { other } from './other-store.js';"),
    { file: 'src/store/conformance.test.ts', find: '[sqlite, memory]', replacement: '[other, sqlite, memory]' },
  ],
  'an event': [
    line(
      'src/protocol/events/session-events.ts',
      '  session_renamed: {',
      `  session_greeted: {
    lists: ['sessions'],
    line: ({ name }) => name,
    feed: ({ name }) => ({ text: \`\${name} was greeted\` }),
    why: () => ['Somebody greeted it.'],
  },`,
    ),
  ],
  'a tool': [
    {
      file: 'src/tools/echo.ts',
      text: `import { INPUTS } from './generated/inputs.js';
import type { Tool } from './tool.js';

export const echo: Tool = {
  name: 'echo',
  summary: 'Returns the text.',
  message: null,
  input: INPUTS.echo,
  waits: null,
};
`,
    },
    line('src/tools/index.ts', 'export const TOOLS', "import { echo } from './echo.js';"),
    { file: 'src/tools/index.ts', find: '...MESSAGE_TOOLS, ', replacement: '...MESSAGE_TOOLS, echo, ' },
    line('src/protocol/tool-shapes.ts', '  spawn_agent:', "  echo: 'EchoInput',"),
    line(
      'src/daemon/parts/delegation-parts.ts',
      '      spawn_agent: (',
      '      echo: async (_entry, { input }) => ({ ok: true, answer: JSON.stringify(input) }),',
    ),
  ],
  'an adapter': [
    {
      file: 'src/session/adapters/mine.ts',
      text: `import { type Adapter, GENERIC } from './adapter.js';

export const mine: Adapter = { ...GENERIC, name: 'mine', label: 'my program', programs: ['mine'] };
`,
    },
    line('src/session/adapters/index.ts', 'export const ADAPTERS', "import { mine } from './mine.js';"),
    { file: 'src/session/adapters/index.ts', find: 'copilot, pi]', replacement: 'copilot, pi, mine]' },
  ],
};

/** Shapes in the schema files, which hold many. */
const SHAPES: Readonly<Record<string, (schema: { $defs: Json; oneOf?: unknown[] }) => void>> = {
  operations({ $defs }) {
    $defs['EchoInput'] = object({ text: { type: 'string' } });
    $defs['DaemonEchoInput'] = object({ text: { type: 'string' } });
    $defs['DaemonEchoOutput'] = object({ text: { type: 'string' } });
  },
  events({ $defs, oneOf }) {
    oneOf?.push({ $ref: '#/$defs/SessionGreetedEvent' });
    const text = { type: 'string' };
    $defs['SessionGreetedEvent'] = object({
      seq: { type: 'integer' },
      event_type: { const: 'session_greeted' },
      timestamp: text,
      session_id: text,
      name: text,
    });
  },
};

export const hard: HardTest = {
  summary: 'adds one of each kind to a copy of the source, compiles it, and uses what was added',
  async run() {
    const copy = mkdtempSync(join(tmpdir(), 'orchd-add-'));
    try {
      for (const part of ['src', 'test', 'protocol', 'bin', 'docs', 'fixtures', 'package.json', 'tsconfig.json'])
        cpSync(join(ROOT, part), join(copy, part), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
      for (const [what, changes] of Object.entries(ADDITIONS)) {
        console.log(`adds ${what}: ${changes.map(({ file }) => file).join(', ')}`);
        for (const change of changes) apply(copy, change);
      }
      for (const [name, add] of Object.entries(SHAPES)) {
        const file = join(copy, 'protocol', `${name}.schema.json`);
        const schema = JSON.parse(readFileSync(file, 'utf8'));
        add(schema);
        writeFileSync(file, JSON.stringify(schema));
      }
      const bin = (name: string, ...args: string[]) => inFolder(copy, join(copy, 'node_modules/.bin', name), ...args);
      bin('tsx', 'src/build/generate.ts');
      for (const folder of ['daemon', 'cli']) bin('tsc', '-b', `src/${folder}`);
      bin('tsdown', '--config-loader', 'unrun', '--config', 'src/build/tsdown.config.ts');
      const report = join(copy, 'store.json');
      const args = ['--config', 'test/vitest.config.ts', '--reporter=json', `--outputFile=${report}`];
      bin('vitest', 'run', 'src/store/conformance.test.ts', '-t', "'other' store", ...args);
      mustBe('the store backend', JSON.parse(readFileSync(report, 'utf8')).numPassedTests > 0, true);
      await use(copy);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  },
};

/** Uses each of the additions through the built program. */
async function use(copy: string): Promise<void> {
  const env = { ...process.env, ORCHD_HOME: join(copy, 'home') };
  const orchd = (...args: string[]): string =>
    execFileSync(process.execPath, [join(copy, 'bin/orchd.js'), ...args], { env, encoding: 'utf8' });
  orchd('start', '--detach', '--no-tcp');
  try {
    mustBe('the command and the operation', orchd('echo', 'hello'), 'hello');
    mustBe('the subcommand', orchd('runs', 'count'), '0 runs\n');
    mustBe('its completion', orchd('__complete', 'runs', 'c'), 'count\ncancel\n');
    mustBe(
      'its page',
      readFileSync(join(copy, 'docs/reference/commands.md'), 'utf8').includes('orchd runs count'),
      true,
    );
    mustBe(
      'the page of its tool',
      readFileSync(join(copy, 'docs/reference/tools.md'), 'utf8').includes('## need_access'),
      true,
    );
    mustBe('the option', orchd('config', '--default').includes('greeting = "hello"'), true);
    mustBe('the event', orchd('events', '--type', 'session_greeted'), '');
    const { adapter } = JSON.parse(orchd('run', '--json', '-d', '--adapter', 'mine', '--', 'cat'));
    mustBe('the adapter', adapter, 'mine');
    const block = '{"type": "NEED_ACCESS", "data": {"what": "the registry"}}';
    const script = `printf '\`\`\`orchestrator-message\\n${block}\\n\`\`\`\\n'; read answer; exit 7`;
    const { id } = JSON.parse(orchd('run', '--json', '-d', '--', 'sh', '-c', script));
    const { state } = JSON.parse(orchd('wait', id, '--until', 'waiting', '--json'));
    mustBe('the state', state, 'waiting');
    const [item] = JSON.parse(orchd('inbox', '--json'));
    mustBe('the item', item.type, 'NEED_ACCESS');
    mustBe('its text', orchd('inbox').includes('the registry'), true);
    const list = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`;
    const tools = execFileSync(process.execPath, [join(copy, 'bin/orchd.js'), 'mcp', '--session', id], {
      env,
      encoding: 'utf8',
      input: list,
    });
    mustBe('the tool', tools.includes('"need_access"'), true);
    const echoed = orchd('tool', 'echo', '--session', id, '--input', 'text=hi');
    mustBe('the tool that is not a message', echoed.includes('{"text":"hi"}'), true);
    orchd('answer', item.id, '--option', '1');
    mustBe('the answer', JSON.parse(orchd('wait', id, '--json')).exit_code, 7);
    mustBe('the instructions', /- NEED_ACCESS when a permission/.test(orchd('prompt')), true);
  } finally {
    orchd('stop');
  }
}

function line(file: string, before: string, text: string): Change {
  return { file, before, line: text };
}

const object = (properties: Json): Json => ({
  description: 'Added by the test.',
  type: 'object',
  required: Object.keys(properties),
  properties,
});

function apply(copy: string, change: Change): void {
  const file = join(copy, change.file);
  writeFileSync(file, 'text' in change ? change.text : changed(readFileSync(file, 'utf8'), change));
}

function changed(text: string, change: Exclude<Change, { text: string }>): string {
  const mark = 'find' in change ? change.find : change.before;
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`${change.file} does not contain '${mark}'`);
  if ('find' in change) return text.slice(0, at) + change.replacement + text.slice(at + mark.length);
  const start = text.lastIndexOf('\n', at) + 1;
  return `${text.slice(0, start)}${change.line}\n${text.slice(start)}`;
}

const inFolder = (cwd: string, file: string, ...args: string[]): void =>
  void execFileSync(file, args, { cwd, stdio: 'inherit' });

function mustBe(what: string, found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
  console.log(`works: ${what}`);
}
