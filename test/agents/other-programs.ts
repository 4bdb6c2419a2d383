/**
 * Programs of which orchd reads only the screen, for `npm run test:agents`: they show how orchd reads and answers an
 * unknown program. None has an adapter except Kilo, which orchd recognizes by its name. The adapter of Kilo has neither
 * a transcript nor hooks, so Kilo is tried like the others.
 *
 * Each is configured to use the model server by its own files and environment, like the agents in agents.ts.
 */
import { createHash } from 'node:crypto';
import { basename, join, relative } from 'node:path';
import { type Agent, KEY, NATIVE } from './agents.js';
import { PROGRAM_NODE } from './program-node.js';

const NONE = { adapter: 'shell', permit: [], ask: [], files: () => ({}), env: () => ({}) };

const kilo: Agent = {
  ...NONE,
  name: 'kilo',
  namesDollars: true,
  package: '@kilocode/cli',
  version: '7.7.7',
  files: ({ url }) => ({
    '.config/kilo/kilo.json': {
      autoupdate: false,
      share: 'disabled',
      model: 'mock/mock-model',
      small_model: 'mock/mock-model',
      provider: {
        mock: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Mock',
          options: { baseURL: `${url}/v1`, apiKey: KEY },
          models: { 'mock-model': { name: 'Mock Model' } },
        },
      },
    },
  }),
  env: () => ({ KILO_DISABLE_AUTOUPDATE: '1' }),
  command: ({ modules }) => [join(modules, `@kilocode/cli-${NATIVE}/bin/kilo`)],
  ready: /Mock Model|Ask anything/,
};

const continueCli: Agent = {
  ...NONE,
  name: 'continue',
  package: '@continuedev/cli',
  version: '1.5.47',
  files: ({ url }) => ({
    '.continue/config.yaml': `name: mock
version: 0.0.1
schema: v1
models:
  - name: Mock
    provider: openai
    model: mock-model
    apiBase: ${url}/v1
    apiKey: ${KEY}
    roles: [chat]
`,
  }),
  env: () => ({ CONTINUE_TELEMETRY_ENABLED: '0' }),
  command: ({ modules, home }) => [join(modules, '.bin/cn'), '--config', join(home, '.continue/config.yaml')],
  ready: /Ask anything/,
};

const cline: Agent = {
  ...NONE,
  name: 'cline',
  package: 'cline',
  version: '3.0.65',
  files: ({ url }) => ({
    '.cline/data/settings/providers.json': {
      version: 1,
      lastUsedProvider: 'openai-compatible',
      modes: {},
      providers: {
        'openai-compatible': {
          settings: { provider: 'openai-compatible', apiKey: KEY, model: 'mock-model', baseUrl: `${url}/v1` },
          updatedAt: '2026-01-01T00:00:00.000Z',
          tokenSource: 'manual',
        },
      },
    },
    '.cline/data/settings/cli-notices.json': {
      shown: { 'cline-cli-cline-pass-intro': true, 'cline-cli-desktop-launch': true, 'cline-cli-zen': true },
    },
  }),
  command: ({ modules }) => [join(modules, `@cline/cli-${NATIVE}/bin/cline`)],
  ready: /What can I do for you\?$|What can I do/,
  leavesService: true,
};

const grok: Agent = {
  ...NONE,
  name: 'grok',
  package: '@vibe-kit/grok-cli',
  version: '0.0.34',
  env: ({ url }) => ({ GROK_API_KEY: KEY, GROK_BASE_URL: `${url}/v1`, GROK_MODEL: 'mock-model' }),
  command: ({ modules }) => [join(modules, '.bin/grok')],
  ready: /Ask me anything/,
};

const nanocoder: Agent = {
  ...NONE,
  name: 'nanocoder',
  package: '@nanocollective/nanocoder',
  version: '1.30.0',
  files: ({ url, cwd }) => ({
    '.config/nanocoder/agents.config.json': {
      nanocoder: {
        providers: [{ name: 'Mock', baseUrl: `${url}/v1`, apiKey: KEY, models: ['mock-model'] }],
      },
    },
    '.config/nanocoder/nanocoder-preferences.json': {
      trustedDirectories: [cwd],
      lastProvider: 'Mock',
      lastModel: 'mock-model',
    },
  }),
  command: ({ modules }) => [join(modules, '.bin/nanocoder')],
  ready: /normal mode on/,
};

const openCodex: Agent = {
  ...NONE,
  name: 'open-codex',
  package: 'open-codex',
  version: '0.1.31',
  env: ({ url }) => ({ OLLAMA_BASE_URL: `${url}/v1` }),
  command: ({ modules }) => [join(modules, '.bin/open-codex'), '--provider', 'ollama', '--model', 'mock-model'],
  ready: /send a message/,
};

const kimi: Agent = {
  ...NONE,
  name: 'kimi',
  package: '@moonshot-ai/kimi-code',
  version: '2.1.0',
  files: ({ cwd }) => ({
    // It trusts the project, whose name and path are in the name of this file.
    [`.kimi-code/workspace-trust/wd_${basename(cwd)}_${createHash('sha256').update(cwd).digest('hex').slice(0, 12)}`]: {
      root: cwd,
      trustedAt: 1,
    },
  }),
  env: ({ url }) => ({
    KIMI_MODEL_NAME: 'mock-model',
    KIMI_MODEL_API_KEY: KEY,
    KIMI_MODEL_BASE_URL: `${url}/v1`,
    KIMI_MODEL_PROVIDER_TYPE: 'openai',
    KIMI_CODE_NO_AUTO_UPDATE: '1',
  }),
  command: ({ modules }) => [PROGRAM_NODE.file, join(modules, '@moonshot-ai/kimi-code/dist/main.mjs')],
  ready: /mock-model/,
};

const mastracode: Agent = {
  ...NONE,
  name: 'mastracode',
  package: 'mastracode',
  version: '0.32.1',
  files: ({ url }) => ({
    '.local/share/mastracode/settings.json': {
      onboarding: {
        completedAt: '2026-01-01T00:00:00.000Z',
        version: 1,
        modePackId: 'custom:mock',
        omPackId: null,
        quietModePreferenceSelected: true,
      },
      models: {
        activeModelPackId: 'custom:mock',
        modeDefaults: { build: 'mock/mock-model', plan: 'mock/mock-model', fast: 'mock/mock-model' },
        observerModelOverride: 'mock/mock-model',
        reflectorModelOverride: 'mock/mock-model',
      },
      customModelPacks: [
        {
          name: 'mock',
          models: { build: 'mock/mock-model', plan: 'mock/mock-model', fast: 'mock/mock-model' },
          createdAt: '2026-01-01T00:00:00.000Z',
        },
      ],
      customProviders: [{ name: 'mock', url: `${url}/v1`, apiKey: KEY, models: ['mock-model'] }],
    },
  }),
  command: ({ modules }) => [PROGRAM_NODE.file, join(modules, 'mastracode/dist/cli.js')],
  startOption: '--help', // it takes `--version` for a prompt's option
  ready: /mock-model/,
};

const cipher: Agent = {
  ...NONE,
  name: 'cipher',
  package: '@byterover/cipher',
  version: '0.3.0',
  files: ({ url, home, cwd }) => ({
    'cipher.yml': `mcpServers: {}
llm:
  provider: openai
  model: mock-model
  apiKey: ${KEY}
  maxIterations: 5
  baseURL: ${url}/v1
embedding:
  disabled: true
systemPrompt:
  enabled: true
  content: You help.
`,
    [join(relative(home, cwd), '.env')]: '# It does not start without this file.\n',
  }),
  env: () => ({ OPENAI_API_KEY: KEY, USE_WORKSPACE_MEMORY: 'false' }),
  command: ({ modules, home }) => [
    PROGRAM_NODE.file,
    join(modules, '@byterover/cipher/dist/src/app/index.cjs'),
    '-a',
    join(home, 'cipher.yml'),
  ],
  ready: /^cipher>/,
};

/** A fork of pi, which runs on Bun. */
const ohMyPi: Agent = {
  ...NONE,
  name: 'oh-my-pi',
  package: '@oh-my-pi/pi-coding-agent',
  version: '17.3.5',
  beside: { bun: '1.4.5' },
  files: ({ url }) => ({
    '.omp/agent/config.yml': 'setupVersion: 1\n',
    '.omp/agent/models.yml': `providers:
  mock:
    baseUrl: ${url}/v1
    api: openai-completions
    apiKey: ${KEY}
    models:
      - id: mock-model
        name: Mock
        reasoning: false
        input: [text]
        contextWindow: 128000
        maxTokens: 8000
`,
  }),
  env: () => ({ PI_OFFLINE: '1' }),
  command: ({ modules }) => [
    join(modules, `@oven/bun-${NATIVE}/bin/bun`),
    join(modules, '@oh-my-pi/pi-coding-agent/dist/cli.js'),
    '--provider',
    'mock',
    '--model',
    'mock-model',
  ],
  ready: /Mock/,
};

const commandCode: Agent = {
  ...NONE,
  name: 'command-code',
  package: 'command-code',
  version: '1.64.0',
  // It asks for any newer version, and does not start with 1.45.0.
  beside: { '@opentelemetry/semantic-conventions': '1.37.0' },
  files: ({ url }) => ({
    '.commandcode/auth.json': { apiKey: KEY },
    '.commandcode/providers.json': {
      provider: {
        mock: {
          baseURL: `${url}/v1`,
          apiKey: '$MOCK_KEY',
          models: { 'mock-model': { name: 'Mock Model', contextWindow: 128_000, maxOutput: 8_000 } },
        },
      },
    },
  }),
  env: () => ({ MOCK_KEY: KEY, DO_NOT_TRACK: '1', COMMANDCODE_SKIP_UPDATES: '1' }),
  command: ({ modules }) => [
    PROGRAM_NODE.file,
    join(modules, 'command-code/dist/index.mjs'),
    '--local-only',
    '--trust',
    '--skip-onboarding',
    '--no-auto-update',
    '--model',
    'mock/mock-model',
  ],
  ready: /\? for shortcuts/,
};

/** Letta Code keeps its agents on this machine, and takes the model server for LM Studio. */
const letta: Agent = {
  ...NONE,
  name: 'letta',
  package: '@letta-ai/letta-code',
  version: '0.25.9',
  env: ({ url }) => ({ LMSTUDIO_BASE_URL: `${url}/v1`, DISABLE_AUTOUPDATER: '1' }),
  command: ({ modules }) => [PROGRAM_NODE.file, join(modules, '@letta-ai/letta-code/letta.js'), '--backend', 'local'],
  ready: /Press \/ for commands/,
};

export const OTHER_PROGRAMS: readonly Agent[] = [
  kilo,
  continueCli,
  cline,
  grok,
  nanocoder,
  openCodex,
  kimi,
  mastracode,
  cipher,
  ohMyPi,
  commandCode,
  letta,
];
