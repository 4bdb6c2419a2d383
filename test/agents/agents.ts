/**
 * The agents that `npm run test:agents` drives: pinned versions, and how each is configured to use the model server.
 *
 * In:   the place of a run: where the program is installed, its own home, a project in it, the server's address.
 * Out:  npm packages, files of its home, environment, command.
 * A new version is tried with `--latest`, and pinned by changing it here. No agent gets a real account, a real home or
 * the caller's environment. other-programs.ts lists programs of which orchd reads only the screen.
 */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MACHINE } from '../../src/session/index.js';
import { PROGRAM_NODE } from './program-node.js';

export interface Place {
  /** The folder `node_modules` of the installation. */
  readonly modules: string;
  readonly home: string;
  readonly cwd: string;
  readonly url: string;
  /** True if its tools run without asking. */
  readonly isPermitted: boolean;
  /**
   * True if the person has added orchd's MCP server to the agent's settings, for agents to which orchd cannot offer it.
   */
  readonly isServed: boolean;
}

export interface Agent {
  /** The name for `--only`. */
  readonly name: string;
  /** The name of its adapter; `shell` if orchd has none, or one that reads only the screen. */
  readonly adapter: string;
  readonly package: string;
  readonly version: string;
  /** Packages that it needs beside its own, with their versions. */
  readonly beside?: Readonly<Record<string, string>>;
  /** Files of its home, by path: a text, or a value that is written as JSON. */
  readonly files: (place: Place) => Readonly<Record<string, unknown>>;
  readonly env: (place: Place) => Readonly<Record<string, string>>;
  readonly command: (place: Place) => readonly string[];
  /**
   * Arguments with which its tools run without asking, and arguments with which its shell asks before every command;
   * null: it never asks.
   */
  readonly permit: readonly string[];
  readonly ask: readonly string[] | null;
  /** Matches a row of the screen when the program takes input; for programs without an adapter. */
  readonly ready?: RegExp;
  /** True if the program starts a service of its own that outlives it. */
  readonly leavesService?: boolean;
  /** The option with which it ends at once if it runs here. Default: `--version`. */
  readonly startOption?: string;
  /** The command that begins a new conversation. Default: `/clear`. */
  readonly clear?: string;
  /** True if its records name dollars. */
  readonly namesDollars?: boolean;
}

/** The dollars for a million tokens, for agents that compute costs from their settings. */
export const PRICES = { input: 3, output: 15, cached: 0.3 } as const;

export const KEY = 'dummy-key-0123456789abcdef';
const NODE_MAJOR = Number(PROGRAM_NODE.version.split('.')[0]);
export const NATIVE = `${process.platform}-${process.arch}`;

const claude: Agent = {
  name: 'claude',
  adapter: 'claude',
  package: '@anthropic-ai/claude-code',
  version: '2.1.332',
  files: ({ cwd }) => ({
    '.claude.json': {
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
      projects: { [cwd]: { hasTrustDialogAccepted: true, allowedTools: [] } },
    },
  }),
  env: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }),
  command: ({ modules }) => [join(modules, `@anthropic-ai/claude-code-${NATIVE}/claude`)],
  permit: ['--allowedTools', 'Bash', 'Read'],
  ask: ['--permission-mode', 'default'],
};

const codex: Agent = {
  name: 'codex',
  adapter: 'codex',
  clear: '/new',
  package: '@openai/codex',
  version: '0.171.0',
  files: ({ url, cwd }) => ({
    '.codex/config.toml': `model = "gpt-5"
model_provider = "mock"
check_for_update_on_startup = false
[model_providers.mock]
name = "mock"
base_url = "${url}/v1"
env_key = "MOCK_KEY"
wire_api = "responses"
[projects."${cwd}"]
trust_level = "trusted"
[analytics]
enabled = false
`,
  }),
  env: () => ({ MOCK_KEY: KEY }),
  command: ({ modules }) => [PROGRAM_NODE.file, join(modules, '@openai/codex/bin/codex.js')],
  permit: ['--dangerously-bypass-approvals-and-sandbox'],
  ask: [], // it asks when the model says that its sandbox does not suffice
};

/** The server's entry, as a person would write it into their own settings. */
const OWN_SERVER = {
  command: process.execPath,
  args: [join(import.meta.dirname, '../../bin/orchd.js'), 'mcp'],
  env: Object.fromEntries(
    ['ORCHD_SOCKET', 'ORCHD_SESSION_ID', 'ORCHD_SESSION_TOKEN'].map((name) => [name, `\${${name}:-}`]),
  ),
  trust: true,
};

const gemini: Agent = {
  name: 'gemini',
  adapter: 'gemini',
  package: '@google/gemini-cli',
  version: '0.61.0',
  files: ({ isServed }) => ({
    '.gemini/settings.json': {
      // If only root can write the system settings, the tools are offered anyway.
      ...(isServed && !MACHINE.isRootsAlone(tmpdir()) && { mcpServers: { orchd: OWN_SERVER } }),
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: { disableAutoUpdate: true, disableUpdateNag: true },
      telemetry: { enabled: false },
      privacy: { usageStatisticsEnabled: false },
    },
  }),
  env: ({ url }) => ({ GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: url }),
  command: ({ modules }) => [
    PROGRAM_NODE.file,
    join(modules, '@google/gemini-cli/bundle/gemini.js'),
    '-m',
    'gemini-2.5-flash',
  ],
  permit: ['--yolo'],
  ask: [],
};

const opencode: Agent = {
  name: 'opencode',
  adapter: 'opencode',
  clear: '/new',
  namesDollars: true,
  package: 'opencode-ai',
  version: '1.18.33',
  files: ({ url, isPermitted }) => ({
    '.config/opencode/opencode.json': {
      autoupdate: false,
      share: 'disabled',
      model: 'mock/mock-model',
      small_model: 'mock/mock-model',
      permission: { bash: isPermitted ? 'allow' : 'ask' },
      provider: {
        mock: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Mock',
          options: { baseURL: `${url}/v1`, apiKey: KEY },
          models: {
            'mock-model': {
              name: 'Mock Model',
              cost: { input: PRICES.input, output: PRICES.output, cache_read: PRICES.cached },
            },
          },
        },
      },
    },
  }),
  env: () => ({}),
  command: ({ modules }) => [join(modules, `opencode-${NATIVE}/bin/opencode`)],
  permit: [],
  ask: [],
};

const qwen: Agent = {
  name: 'qwen',
  adapter: 'qwen',
  package: '@qwen-code/qwen-code',
  version: NODE_MAJOR < 22 ? '0.15.10' : '0.24.4',
  files: () => ({
    '.qwen/settings.json': {
      security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false, disableAutoUpdate: true },
      telemetry: { enabled: false },
      privacy: { usageStatisticsEnabled: false },
      model: { name: 'mock-model' },
      // Otherwise it would send its own requests to the model after its turns, in the same conversation.
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false, enableAutoSkill: false },
      ui: { enableFollowupSuggestions: false },
    },
  }),
  env: ({ url }) => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'mock-model' }),
  command: ({ modules }) => {
    const [entry, earlier] = ['cli-entry.js', 'cli.js'].map((name) => join(modules, '@qwen-code/qwen-code', name));
    return [PROGRAM_NODE.file, String(existsSync(String(entry)) ? entry : earlier)];
  },
  permit: ['--yolo'],
  ask: [],
};

const copilot: Agent = {
  name: 'copilot',
  adapter: 'copilot',
  package: '@github/copilot',
  version: '1.0.102',
  files: ({ cwd }) => ({ '.copilot/config.json': { trusted_folders: [cwd], banner: 'never' } }),
  env: ({ url }) => ({
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: KEY,
    COPILOT_MODEL: 'mock-model',
    COPILOT_OFFLINE: 'true',
  }),
  command: ({ modules }) => [join(modules, `.bin/copilot-${NATIVE}`)],
  permit: ['--allow-all-tools'],
  ask: [],
};

const pi: Agent = {
  name: 'pi',
  adapter: 'pi',
  clear: '/new',
  namesDollars: true,
  package: '@mariozechner/pi-coding-agent',
  version: '0.73.1',
  files: ({ url }) => ({
    '.pi/agent/models.json': {
      providers: {
        mock: {
          baseUrl: `${url}/v1`,
          api: 'openai-completions',
          apiKey: KEY,
          models: [
            {
              id: 'mock-model',
              name: 'Mock',
              reasoning: false,
              input: ['text'],
              cost: { input: PRICES.input, output: PRICES.output, cacheRead: PRICES.cached, cacheWrite: 0 },
              contextWindow: 128_000,
              maxTokens: 8_000,
            },
          ],
        },
      },
    },
  }),
  env: () => ({ PI_OFFLINE: '1' }),
  command: ({ modules }) => [join(modules, '.bin/pi'), '--provider', 'mock', '--model', 'mock-model'],
  permit: [],
  ask: null,
};

/** pi under its new package name. */
const piEarendil: Agent = { ...pi, name: 'pi-earendil', package: '@earendil-works/pi-coding-agent', version: '0.87.1' };

export const AGENTS: readonly Agent[] = [claude, codex, gemini, opencode, qwen, copilot, pi, piEarendil];
