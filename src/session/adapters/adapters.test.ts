/**
 * Compares the adapters with recordings of the real programs: fixtures/adapters/<name>/
 *
 *     <case>/transcript.jsonl   transcript of the program or of orchd's plugin
 *     <case>/feed.jsonl         lines that orchd's hooks wrote
 *     <case>/expected.json      the items that are read in either file
 *     <case>/payload.jsonl      payloads of hooks that ask
 *     <case>/questions.json     the questions in the payloads, and the output for each choice
 *     launch.json               start commands of users, and the commands that orchd runs for them
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import {
  ADAPTERS,
  type Adapter,
  adapterNamed,
  adapterOf,
  feedOf,
  type LaunchRequest,
  type TranscriptItem,
} from './index.js';

const FIXTURES = join(import.meta.dirname, '../../../fixtures/adapters');
const UUID = '6f1e0c52-9a43-4d6b-8f3e-2b7c5d9e1a40';
const DIR = '/home/user/.local/state/orchd/agents/ses_1';

const TOOLS = { command: 'node', args: ['/opt/orchd.js', 'mcp'], env: { ORCHD_SESSION_TOKEN: 'secret' } };

const ROOTS = { text: () => null, isRootsAlone: () => true };

const HOOK = ['node', '/opt/orchd.js', 'hook'];

interface LaunchCase {
  readonly what: string;
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly teach?: string;
  /** The tools are to be offered. */
  readonly tools?: true;
  /** Flags that the installed version does not have. */
  readonly lacks?: readonly string[];
  /** Root alone can write into the session's folder. */
  readonly isRoot?: true;
  /** Files of the machine, by path. */
  readonly machine?: Readonly<Record<string, string>>;
  readonly expected: {
    readonly argv: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly files: readonly string[];
    readonly agentSessionId: string | null;
    readonly isTaught: boolean;
    readonly hasTools?: true;
    readonly sources: readonly string[];
  };
}

const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const knows = (adapter: Adapter, name: string): boolean => existsSync(join(FIXTURES, adapter.name, name));

describe.each(ADAPTERS.filter((adapter) => adapter.transcript))('$name', (adapter) => {
  const folder = join(FIXTURES, adapter.name);
  const read = (text: string, isFeed = false): TranscriptItem[] =>
    text.split('\n').flatMap((line) => [...(adapter.transcript?.read(line, isFeed).items ?? [])]);
  const cases = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'transcript.jsonl')));

  test.each(cases)('reads the recorded transcript %s', (name) => {
    const text = readFileSync(join(folder, name, 'transcript.jsonl'), 'utf8');
    expect(read(text)).toEqual(json(join(folder, name, 'expected.json')));
  });

  const feeds = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'feed.jsonl')));
  test.each(feeds)('reads the hook feed %s, but not as a transcript', (name) => {
    const text = readFileSync(join(folder, name, 'feed.jsonl'), 'utf8');
    expect(read(text, true)).toEqual(json(join(folder, name, 'expected.json')));
    expect(read(text)).toEqual([]);
  });

  const asks = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'payload.jsonl')));
  test.each(asks)('turns the hook payload of %s into questions and prints the decisions', (name) => {
    const payloads = readFileSync(join(folder, name, 'payload.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const questions = payloads.map((payload) => {
      const { text, shows, choices = [] } = adapter.hooks?.ask(JSON.parse(payload)) ?? {};
      return { text, shows, choices: choices.map(({ label, output }) => ({ label, output: output('WORDS') })) };
    });
    expect(questions).toEqual(json(join(folder, name, 'questions.json')));
  });

  test.runIf(adapter.hooks)('ignores a payload without a question', () => {
    const nothing = [{}, { hook_event_name: 'PermissionRequest' }, { hook_event_name: 'Stop', tool_name: 'Bash' }];
    const odd = { hook_event_name: 'PermissionRequest', tool_name: 'AskUserQuestion', tool_input: { questions: [7] } };
    const long = { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command: 'x'.repeat(9000) } };
    for (const payload of [...nothing, odd, long]) expect(adapter.hooks?.ask(payload)).toBeNull();
  });

  test('returns no items and does not throw for partial lines, other JSON and other text', () => {
    const text = readFileSync(join(folder, cases[0] ?? '', 'transcript.jsonl'), 'utf8');
    for (const line of text.split('\n')) expect(read(line.slice(0, -1))).toEqual([]);
    for (const line of ['', '{}', '[]', 'null', '7', '{"type":"assistant"}', '{"type":7,"message":[]}', 'no']) {
      expect(read(line)).toEqual([]);
    }
  });

  test.runIf(knows(adapter, 'launch.json')).each(json(join(folder, 'launch.json')) as LaunchCase[])(
    'starts $argv: $what',
    ({ argv, env = {}, teach = null, tools = false, lacks = [], isRoot = false, machine = {}, expected }) => {
      const hasFlag = (flag: string) => !lacks.includes(flag);
      const request: LaunchRequest = {
        argv,
        env: { HOME: '/home/user', ...env },
        uuid: UUID,
        teach,
        ...(tools && { tools: TOOLS }),
        dir: DIR,
        hook: HOOK,
        hasFlag,
        machine: { text: (path) => machine[path] ?? null, isRootsAlone: () => isRoot },
      };
      const launch = adapter.start?.launch(request);
      const whole = { HOME: '/home/user', ...env, ...launch?.env };
      const about = { argv, env: whole, cwd: '/home/user/proj', dir: DIR };
      const sources = adapter?.transcript?.sources({ ...about, agentSessionId: launch?.agentSessionId ?? null }) ?? [];
      const got = {
        ...launch,
        files: Object.keys(launch?.files ?? {}),
        sources: sources.map((source) =>
          source.kind === 'file' ? source.path : `${source.dir} ${source.name.source}`,
        ),
      };
      expect(got).toEqual(expected);
    },
  );
});

test('hooks of Claude Code append to the private feed of their session, without variables', () => {
  const { dir, hooks, env } = claudeHooks(['false']);
  for (const name of ['SessionStart', 'Stop']) {
    execFileSync('sh', ['-c', hooks[name]?.[0].hooks[0].command ?? ''], { input: `{"hook_event_name":"${name}"}` });
  }
  const said = readFileSync(feedOf(dir), 'utf8');
  expect(said).toBe('{"hook_event_name":"SessionStart"}\n{"hook_event_name":"Stop"}\n');
  expect(statSync(feedOf(dir)).mode & 0o777).toBe(0o600);
  expect(env).toEqual({});
  rmSync(dir, { recursive: true });
});

test('hooks of Claude Code that fail print nothing and exit with 0', () => {
  const { dir, hooks } = claudeHooks(['/no such/orchd', 'hook']);
  rmSync(dir, { recursive: true });
  expect(Object.keys(hooks)).toContain('PermissionRequest');
  for (const [
    {
      hooks: [{ command }],
    },
  ] of Object.values(hooks)) {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { input: '{}', encoding: 'utf8' });
    expect({ command, status, stdout, stderr }).toEqual({ command, status: 0, stdout: '', stderr: '' });
  }
});

test('the notify script of Codex appends to the feed and then runs the user’s own program', () => {
  const dir = mkdtempSync(join(tmpdir(), "orchd it's a $HOME-"));
  const word = '{"type":"agent-turn-complete","input-messages":["it\'s $HOME\\n"]}';
  const own = ['sh', '-c', 'umask; printf %s "$0|$1"', "it's"];
  const home = '/home/user/cx';
  const text = (path: string) => (path === `${home}/config.toml` ? `notify = ${JSON.stringify(own)}\n` : null);
  const request = { argv: ['codex'], env: { CODEX_HOME: home }, uuid: UUID, teach: null, dir, hook: HOOK };
  const machine = { text, isRootsAlone: () => false };
  const launch = adapterNamed('codex')?.start?.launch({ ...request, hasFlag: () => true, machine });
  expect(JSON.stringify(launch?.argv)).not.toContain('printf');
  const file = join(dir, 'notify.sh');
  writeFileSync(file, launch?.files['notify.sh'] ?? '');
  const umask = execFileSync('sh', ['-c', 'umask'], { encoding: 'utf8' });
  expect(execFileSync('sh', [file, word], { encoding: 'utf8' })).toBe(`${umask}it's|${word}`);
  expect(readFileSync(feedOf(dir), 'utf8')).toBe(`${word}\n`);
  expect(statSync(feedOf(dir)).mode & 0o777).toBe(0o600);
  rmSync(feedOf(dir));
  mkdirSync(feedOf(dir)); // nothing can be written there
  const { status, stdout, stderr } = spawnSync('sh', [file, word], { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: `${umask}it's|${word}`, stderr: '' });
  rmSync(dir, { recursive: true });
});

test('the values of --config for Codex are valid TOML, whatever they contain', () => {
  const odd = 'a"b\\c\'d\n\te\x7ff\x01g\u2028h$HOME';
  const request = {
    argv: ['codex'],
    env: { HOME: '/home/user' },
    uuid: UUID,
    teach: odd,
    dir: `/home/${odd}`,
    hook: HOOK,
  };
  const tools = { ...TOOLS, args: [odd] };
  const machine = { text: () => null, isRootsAlone: () => false };
  const launch = adapterNamed('codex')?.start?.launch({ ...request, tools, hasFlag: () => true, machine });
  const settings = launch?.argv.filter((_word, at, argv) => argv[at - 1] === '--config') ?? [];
  expect(parse(settings.join('\n'))).toMatchObject({
    developer_instructions: odd,
    notify: ['sh', `/home/${odd}/notify.sh`],
    mcp_servers: { orchd: { args: [odd] } },
  });
});

test('hooks of Gemini CLI append to the feed of their session, but not from a nested Gemini CLI', () => {
  const dir = mkdtempSync(join(tmpdir(), "orchd it's a home-"));
  const request = { argv: ['gemini'], env: {}, uuid: UUID, teach: null, dir, hook: HOOK, hasFlag: () => true };
  const launch = adapterNamed('gemini')?.start?.launch({ ...request, machine: ROOTS });
  const { hooks, mcpServers } = JSON.parse(launch?.files['orchd-defaults.json'] ?? '');
  expect([Object.keys(hooks), mcpServers]).toEqual([
    ['SessionStart', 'BeforeAgent', 'Notification', 'AfterAgent'],
    undefined,
  ]);
  const [{ command }] = hooks.AfterAgent[0].hooks;
  for (const inner of ['', '1']) {
    const env = { PATH: process.env['PATH'], GEMINI_CLI: inner };
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
      input: `{"a":"${inner}"}`,
      env,
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  }
  expect(readFileSync(feedOf(dir), 'utf8')).toBe('{"a":""}\n');
  rmSync(dir, { recursive: true });
});

test('Gemini CLI gets no defaults file in a folder whose name contains a variable', () => {
  const request = { argv: ['gemini'], env: {}, uuid: UUID, teach: null, dir: '/home/$USER/ses_1', hook: HOOK };
  const launch = adapterNamed('gemini')?.start?.launch({
    ...request,
    hasFlag: () => true,
    machine: ROOTS,
    tools: TOOLS,
  });
  expect([launch?.env, launch?.files, launch?.hasTools]).toEqual([{}, {}, undefined]);
});

/** Reads the hooks that the adapter installs. The folder's name contains characters that a shell would interpret. */
function claudeHooks(hook: readonly string[]) {
  const dir = mkdtempSync(join(tmpdir(), "orchd it's a $HOME-"));
  const request = {
    argv: ['claude'],
    env: {},
    uuid: UUID,
    teach: null,
    dir,
    hook,
    hasFlag: () => true,
    machine: ROOTS,
  };
  const launch = adapterNamed('claude')?.start?.launch(request);
  const { hooks } = JSON.parse(launch?.files['settings.json'] ?? '') as {
    hooks: Record<string, [{ hooks: [{ command: string }] }]>; // as Claude Code takes them
  };
  return { dir, hooks, env: launch?.env };
}

test('no command line or variable contains the token of the tools, but the MCP file does', () => {
  for (const { name, programs, start } of ADAPTERS) {
    const argv = [programs[0] ?? ''];
    const launch = start?.launch({
      argv,
      env: {},
      uuid: UUID,
      teach: null,
      tools: TOOLS,
      dir: DIR,
      hook: HOOK,
      hasFlag: () => true,
      machine: ROOTS,
    });
    expect(JSON.stringify([launch?.argv, launch?.env]), name).not.toContain('secret');
    const file = launch?.files['mcp.json'];
    if (file === undefined) continue;
    const { mcpServers } = JSON.parse(file);
    expect(mcpServers.orchd, name).toMatchObject(TOOLS);
  }
});

test('every agent is recognized by its program, wherever it is installed', () => {
  for (const adapter of ADAPTERS) {
    for (const program of adapter.programs) expect(adapterOf(`/opt/bin/${program}`)).toBe(adapter);
    expect(adapterNamed(adapter.name)).toBe(adapter);
  }
});

test.each(['codex', 'gemini'])('%s does not use a conversation id as a pattern', (name) => {
  const adapter = adapterNamed(name);
  for (const agentSessionId of ['.*', '(', '(a+)+$', '[', 'a|b']) {
    const about = { argv: [name], env: { HOME: '/home' }, dir: '/nowhere', cwd: '/', agentSessionId };
    const sources = adapter?.transcript?.sources(about as never) ?? [];
    const names = sources.flatMap((source) => (source.kind === 'newest' ? [source.name] : []));
    expect(names).toHaveLength(1);
    expect(names[0]?.test('session-2026-x.jsonl') || names[0]?.test('rollout-2026-x.jsonl')).toBe(false);
    expect(names[0]?.test(`${name === 'codex' ? 'rollout' : 'session'}-1-${agentSessionId}.jsonl`)).toBe(true);
  }
});
