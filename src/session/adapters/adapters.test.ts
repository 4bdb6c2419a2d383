/**
 * What the adapters know, against what the real programs did: fixtures/adapters/<name>/
 *
 *     <case>/transcript.jsonl   what the program (or a plugin of ours) wrote down, <case>/expected.json what is read in it
 *     <case>/feed.jsonl         what hooks of ours wrote down
 *     launch.json               starts: what a person gave, and what is started
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

interface LaunchCase {
  readonly what: string;
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly teach?: string;
  /** The tools are to be offered. */
  readonly tools?: true;
  /** Flags that the installed version does not have. */
  readonly lacks?: readonly string[];
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

  test.each(cases)('reads exactly what was said in a recorded transcript: %s', (name) => {
    const text = readFileSync(join(folder, name, 'transcript.jsonl'), 'utf8');
    expect(read(text)).toEqual(json(join(folder, name, 'expected.json')));
  });

  const feeds = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'feed.jsonl')));
  test.each(feeds)('reads what hooks say in the feed, and there only: %s', (name) => {
    const text = readFileSync(join(folder, name, 'feed.jsonl'), 'utf8');
    expect(read(text, true)).toEqual(json(join(folder, name, 'expected.json')));
    expect(read(text)).toEqual([]);
  });

  test('says nothing, and throws nothing, for half of a line, other JSON and no JSON', () => {
    const text = readFileSync(join(folder, cases[0] ?? '', 'transcript.jsonl'), 'utf8');
    for (const line of text.split('\n')) expect(read(line.slice(0, -1))).toEqual([]);
    for (const line of ['', '{}', '[]', 'null', '7', '{"type":"assistant"}', '{"type":7,"message":[]}', 'no']) {
      expect(read(line)).toEqual([]);
    }
  });

  test.runIf(knows(adapter, 'launch.json')).each(json(join(folder, 'launch.json')) as LaunchCase[])(
    'starts $argv: $what',
    ({ argv, env = {}, teach = null, tools = false, lacks = [], expected }) => {
      const hasFlag = (flag: string) => !lacks.includes(flag);
      const request: LaunchRequest = {
        argv,
        env,
        uuid: UUID,
        teach,
        ...(tools && { tools: TOOLS }),
        dir: DIR,
        hasFlag,
      };
      const launch = adapter.start?.launch(request);
      const about = { argv, env: { HOME: '/home/user', ...env }, cwd: '/home/user/proj', dir: DIR };
      const sources = adapter.transcript?.sources({ ...about, agentSessionId: launch?.agentSessionId ?? null }) ?? [];
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

test('Claude Code’s hooks append to the feed of their session, which nobody else can read, and no variable says where it is', () => {
  const dir = mkdtempSync(join(tmpdir(), "orchd it's a $HOME-"));
  const request = { argv: ['claude'], env: {}, uuid: UUID, teach: null, dir, hasFlag: () => true };
  const launch = adapterNamed('claude')?.start?.launch(request);
  const settings = JSON.parse(launch?.files['settings.json'] ?? '') as {
    hooks: Record<string, [{ hooks: [{ command: string }] }]>; // as Claude Code takes them
  };
  for (const [name, [{ hooks }]] of Object.entries(settings.hooks)) {
    execFileSync('sh', ['-c', hooks[0].command], { input: `{"hook_event_name":"${name}"}` });
  }
  const said = readFileSync(feedOf(dir), 'utf8');
  expect(said).toBe('{"hook_event_name":"SessionStart"}\n{"hook_event_name":"Notification"}\n');
  expect(statSync(feedOf(dir)).mode & 0o777).toBe(0o600);
  expect(launch?.env).toEqual({});
  rmSync(dir, { recursive: true });
});

test('no command line and no variable holds the token of the tools, and each file is the agent’s own way to say it', () => {
  for (const { name, programs, start } of ADAPTERS) {
    const argv = [programs[0] ?? ''];
    const launch = start?.launch({
      argv,
      env: {},
      uuid: UUID,
      teach: null,
      tools: TOOLS,
      dir: DIR,
      hasFlag: () => true,
    });
    expect(JSON.stringify([launch?.argv, launch?.env]), name).not.toContain('secret');
    const file = launch?.files['mcp.json'];
    if (file === undefined) continue;
    const { mcpServers } = JSON.parse(file);
    expect(mcpServers.orchd, name).toMatchObject(TOOLS);
  }
});

test('every agent is known by its program, wherever it is installed', () => {
  for (const adapter of ADAPTERS) {
    for (const program of adapter.programs) expect(adapterOf(`/opt/bin/${program}`)).toBe(adapter);
    expect(adapterNamed(adapter.name)).toBe(adapter);
  }
});
