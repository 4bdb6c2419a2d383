/** Tests blueprints over HTTP and from the command line, both stored ones and those in files. */
import { spawn } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Blueprint } from '../../src/protocol/index.js';
import { type CliResult, startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type Ask, askHttp } from '../harness/http.js';

const BIN = join(import.meta.dirname, '../../bin/orchd.js');
const SCHEMA = { type: 'object', required: ['summary'], properties: { summary: { type: 'string' } } };

let daemon: TestDaemon;
let root: string;
let project: string;
let projects = 0;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'orchd-bp-'));
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon.close();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(() => {
  project = join(root, `project ${projects++}`);
  mkdirSync(join(project, '.orchd'), { recursive: true });
});

const ask = (method: string, path: string, how?: Ask) => askHttp(daemon.paths.socket, method, path, how);
const seen = (name = '') => `/agents${name && `/${name}`}?project=${encodeURIComponent(project)}`;

/** Writes the files of a blueprint. The folder has the name of the blueprint. */
function writeFiles(name: string, json: unknown, instructions?: string): string {
  const dir = join(project, '.orchd/agents', name);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'agent.json'), typeof json === 'string' ? json : JSON.stringify(json));
  if (instructions !== undefined) writeFileSync(join(dir, 'agent.md'), instructions);
  return dir;
}

/** Runs `orchd agent` in the project. */
function cli(args: readonly string[], { input = '', env = {} as Record<string, string> } = {}): Promise<CliResult> {
  const child = spawn(process.execPath, [BIN, 'agent', ...args], { env: { ...daemon.env, ...env }, cwd: project });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  child.stdin.end(input);
  return new Promise((done) => child.once('close', (code) => done({ code, stdout, stderr })));
}

describe('blueprints over HTTP', () => {
  test('a blueprint is created, shown, replaced and deleted under /agents and /api/agents', async () => {
    const body = { name: 'summarizer', description: 'Sums up', type: 'autonomous', output_schema: SCHEMA };
    const made = await ask('POST', '/agents', { body });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ ...body, project: null, source: 'stored', file: null, shadows: false });
    expect((await ask('GET', '/api/agents/summarizer')).body).toEqual(made.body);
    const changed = await ask('PUT', '/agents/summarizer', { body: { model: 'small' } });
    expect([changed.status, changed.body.model, changed.body.description, changed.body.output_schema]).toEqual([
      200,
      'small',
      '',
      undefined,
    ]);
    expect(changed.body.created_at).toBe(made.body.created_at);
    const gone = await ask('DELETE', '/agents/summarizer');
    expect([gone.status, gone.body]).toEqual([200, { name: 'summarizer', project: null, source: 'stored', now: null }]);
    expect((await ask('GET', '/agents/summarizer')).status).toBe(404);
    const { seq } = await daemon.event('blueprint_saved', ({ name }) => name === 'summarizer');
    await daemon.event('blueprint_deleted', ({ name }) => name === 'summarizer', seq);
  });

  test('a duplicate name gets 409, also when 100 requests arrive at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 100 }, () => ask('POST', '/agents', { body: { name: 'once' } })),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([201, ...Array(99).fill(409)]);
    expect((await ask('POST', '/agents', { body: { name: 'once' } })).body).toMatchObject({
      code: 'ORCHD_BLUEPRINT_EXISTS',
      error: expect.stringContaining("'once'"),
    });
  });

  test('an unknown name gets 404 with similar names', async () => {
    await ask('POST', '/agents', { body: { name: 'reviewer' } });
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await ask(method, '/agents/reviwer');
      expect([status, body.code, body.details.near]).toEqual([404, 'ORCHD_BLUEPRINT_UNKNOWN', ['reviewer']]);
    }
    expect((await ask('PUT', '/agents/reviwer', { body: {} })).status).toBe(404);
    expect((await ask('GET', seen('..%2F..%2Fx'))).status).toBe(404);
  });

  test.each([
    [{ colour: 'red' }, "'colour'"],
    [{ type: 'interactive' }, '$.type'],
    [{ output_schema: { properties: { a: { type: 'txt' } } } }, '$.output_schema.properties.a.type'],
    [{ output_schema: { $ref: '#/nowhere' } }, '$.output_schema.$ref'],
    [{ input_schema: { $schema: 'http://json-schema.org/draft-04/schema#' } }, '$.input_schema.$schema'],
    [{ input_schema: { pattern: '(' } }, '$.input_schema.pattern'],
    [{ output_schema: SCHEMA, output_format: 'envelope' }, '$.output_format'],
    [{ limits: { max_cost: -1 } }, '$.limits.max_cost'],
    [{ in_files: true }, '$.in_files'],
  ])('%j gets 422 with the path of the error, and nothing is saved', async (fields, place) => {
    const { status, body } = await ask('POST', '/agents', { body: { name: 'bad', ...fields } });
    expect([status, body.code]).toEqual([422, 'ORCHD_INVALID']);
    expect(JSON.stringify(body.details.errors)).toContain(place);
    expect((await ask('GET', '/agents/bad')).status).toBe(404);
  });

  test('an unknown adapter gets 422', async () => {
    const { status, body } = await ask('POST', '/agents', { body: { name: 'bad', adapter: 'nobody' } });
    expect([status, body.code]).toEqual([422, 'ORCHD_ADAPTER_UNKNOWN']);
  });

  test('validate reports all errors at once and saves nothing', async () => {
    const body = { name: '-', adapter: 'nobody', x: 1, output_schema: { type: 'txt' }, limits: { timeout: 'long' } };
    const reply = await ask('POST', '/agents/validate', { body });
    expect([reply.status, reply.body.valid]).toEqual([200, false]);
    const places = reply.body.errors.map(({ path }: { path: string }) => path);
    for (const place of ['$', '$.name', '$.adapter', '$.output_schema.type', '$.limits.timeout']) {
      expect(places).toContain(place);
    }
    expect((await ask('POST', '/agents/validate', { body: { name: 'fine' } })).body).toEqual({
      valid: true,
      errors: [],
    });
    expect((await ask('GET', '/agents/fine')).status).toBe(404);
  });

  test('a slow pattern or a deeply nested schema does not block the daemon', async () => {
    const endless = { type: 'string', pattern: '^(a+)+$' };
    const made = await ask('POST', '/agents', { body: { name: 'endless', input_schema: endless } });
    expect([made.status, made.body.input_schema]).toEqual([201, endless]);
    const deep = `${'{"not":'.repeat(20_000)}{}${'}'.repeat(20_000)}`;
    const refused = await ask('POST', '/agents', { body: `{"name": "deep", "output_schema": ${deep}}` });
    const message = expect.stringContaining('Nested deeper than 100 levels');
    expect([refused.status, refused.body.details.errors]).toEqual([422, [{ path: '$', message }]]);
    const self = { $ref: '#/$defs/node', $defs: { node: { properties: { next: { $ref: '#/$defs/node' } } } } };
    expect((await ask('POST', '/agents', { body: { name: 'recursive', output_schema: self } })).status).toBe(201);
    expect((await ask('GET', '/api/status')).status).toBe(200);
  });

  test('an acknowledged change survives kill -9', async () => {
    const made = await ask('POST', '/agents', { body: { name: 'kept', project, output_schema: SCHEMA } });
    await ask('POST', '/agents', { body: { name: 'gone', project } });
    await ask('DELETE', seen('gone'));
    await daemon.crash();
    await daemon.start();
    expect((await ask('GET', seen('kept'))).body).toEqual(made.body);
    expect((await ask('GET', seen('gone'))).status).toBe(404);
  });
});

describe('blueprints in files', () => {
  test('are read on each request and take precedence over stored ones', async () => {
    await ask('POST', '/agents', { body: { name: 'shared', description: 'the user’s' } });
    await ask('POST', '/agents', { body: { name: 'shared', description: 'the project’s', project } });
    expect((await ask('GET', seen('shared'))).body).toMatchObject({
      description: 'the project’s',
      project,
      shadows: true,
    });
    const dir = writeFiles('shared', { name: 'shared', description: 'in a file' }, 'Be kind.\n');
    const { body } = await ask('GET', seen('shared'));
    expect(body).toMatchObject({ description: 'in a file', instructions: 'Be kind.', source: 'file', shadows: true });
    expect(body.file).toBe(join(dir, 'agent.json'));
    writeFileSync(join(dir, 'agent.json'), '{"name": "shared", "description": "changed"}');
    const listed: Blueprint[] = (await ask('GET', seen())).body;
    expect(listed.filter(({ name }) => name === 'shared')).toMatchObject([{ description: 'changed', source: 'file' }]);
    expect((await ask('GET', '/agents/shared')).body).toMatchObject({ description: 'the user’s', project: null });

    expect((await ask('DELETE', seen('shared'))).body).toMatchObject({
      source: 'file',
      now: { project, source: 'stored' },
    });
    expect(existsSync(dir)).toBe(false);
    expect((await ask('DELETE', seen('shared'))).body).toMatchObject({ project, now: { project: null } });
  });

  test('are created and replaced as a whole, and field order and other files are kept', async () => {
    const made = await ask('POST', '/agents', {
      body: { name: 'made', project, in_files: true, instructions: 'One.' },
    });
    expect([made.status, made.body.source, made.body.instructions]).toEqual([201, 'file', 'One.']);
    expect((await ask('POST', '/agents', { body: { name: 'made', project, in_files: true } })).status).toBe(409);
    const dir = writeFiles('made', '{"prompt": "Go.", "output_schema": {"type": "object"}, "name": "made"}', 'One.\n');
    writeFileSync(join(dir, 'notes.txt'), 'mine');
    const body = { model: 'm', output_schema: { type: 'object' }, prompt: 'Go!', instructions: 'Two.' };
    expect((await ask('PUT', '/agents/made', { body: { ...body, project } })).body).toMatchObject({
      ...body,
      name: 'made',
    });
    const text = readFileSync(join(dir, 'agent.json'), 'utf8');
    expect(Object.keys(JSON.parse(text))).toEqual(['prompt', 'output_schema', 'name', 'model']);
    expect(text).toMatch(/^\{\n {2}"prompt": "Go!",\n/);
    expect(readFileSync(join(dir, 'agent.md'), 'utf8')).toBe('Two.\n');
    await ask('DELETE', seen('made'));
    expect(readdirSync(dir)).toEqual(['notes.txt']);
  });

  test.each([
    ['is not JSON', '{"name": "odd",\n  "x" 1}', /^\$: .*line 2 column 7/],
    ['has another name than its folder', { name: 'other' }, /^\$\.name: /],
    ['has a field that does not exist', { name: 'odd', colour: 1 }, /'colour'/],
    ['contains the field project', { name: 'odd', project: '/' }, /'project'/],
    ['has a bad schema', { name: 'odd', output_schema: { type: 1 } }, /^\$\.output_schema\.type: /],
    ['is not an object', '[]', /^\$: /],
  ])('a file that %s is listed with its problem and cannot be used', async (_what, json, problem) => {
    await ask('POST', '/agents', { body: { name: 'odd', project } });
    writeFiles('odd', json);
    const [listed] = (await ask('GET', seen())).body.filter(({ name }: Blueprint) => name === 'odd');
    expect(listed).toMatchObject({ name: 'odd', source: 'file', problem: { message: expect.stringMatching(problem) } });
    const { status, body } = await ask('GET', seen('odd'));
    expect([status, body.code]).toEqual([422, 'ORCHD_BLUEPRINT_DAMAGED']);
    expect(body.details.errors[0]).toMatchObject({ path: expect.any(String), message: expect.any(String) });
    const file = join(project, '.orchd/agents/odd/agent.json');
    for (const what of ['odd', file])
      expect(await cli(['validate', what])).toMatchObject({ code: 6, stdout: expect.stringContaining('$') });
    expect((await cli(['validate', 'odd'])).stdout).toMatch(problem);
  });

  describe('a symbolic link that leads out of the project', () => {
    const SECRET = 'the secret of another folder';
    let outside: string;
    beforeEach(() => {
      outside = mkdtempSync(join(root, 'outside-'));
      writeFileSync(join(outside, 'agent.md'), SECRET);
      writeFileSync(join(outside, 'agent.json'), '{"name": "linked"}');
    });

    /** Each entry puts a link in the place of a project's file or folder. */
    const LINKS: Readonly<Record<string, () => void>> = {
      'agent.md': () =>
        symlinkSync(join(outside, 'agent.md'), join(writeFiles('linked', { name: 'linked' }), 'agent.md')),
      'agent.json': () => {
        mkdirSync(join(project, '.orchd/agents/linked'), { recursive: true });
        symlinkSync(join(outside, 'agent.json'), join(project, '.orchd/agents/linked/agent.json'));
      },
      'the folder of the blueprint': () => {
        mkdirSync(join(project, '.orchd/agents'), { recursive: true });
        symlinkSync(outside, join(project, '.orchd/agents/linked'));
      },
      'agent.md, to a file that does not exist': () =>
        symlinkSync(join(outside, 'new.md'), join(writeFiles('linked', { name: 'linked' }), 'agent.md')),
    };

    test.each(Object.keys(LINKS))('is not followed to read, write or delete: %s', async (what) => {
      LINKS[what]?.();
      const before = readdirSync(outside);
      const shown = await ask('GET', seen('linked'));
      expect([shown.status, shown.body.code]).toEqual([422, 'ORCHD_BLUEPRINT_DAMAGED']);
      expect(shown.text).toMatch(/leads out of the project/);
      expect(shown.text + (await ask('GET', seen())).text).not.toContain(SECRET);
      const body = { project, prompt: 'Go.', instructions: 'Overwritten.' };
      expect((await ask('PUT', '/agents/linked', { body })).status).toBeGreaterThanOrEqual(400);
      expect((await ask('DELETE', seen('linked'))).status).toBeGreaterThanOrEqual(400);
      expect(readdirSync(outside)).toEqual(before);
      expect(readFileSync(join(outside, 'agent.md'), 'utf8')).toBe(SECRET);
      expect(readFileSync(join(outside, 'agent.json'), 'utf8')).toBe('{"name": "linked"}');
    });

    test('a symbolic link within the project works and stays a link', async () => {
      const dir = writeFiles('linked', { name: 'linked' });
      writeFileSync(join(project, 'shared.md'), 'Shared.\n');
      symlinkSync('../../../shared.md', join(dir, 'agent.md'));
      const shown = await ask('GET', seen('linked'));
      expect(shown.body.instructions, shown.text).toBe('Shared.');
      const body = { project, prompt: 'Go.', instructions: 'New.' };
      expect((await ask('PUT', '/agents/linked', { body })).status).toBe(200);
      expect(readFileSync(join(project, 'shared.md'), 'utf8')).toBe('New.\n');
      expect(lstatSync(join(dir, 'agent.md')).isSymbolicLink()).toBe(true);
    });

    test('is replaced and not followed at the path of the temporary file', async () => {
      const dir = writeFiles('linked', { name: 'linked', prompt: 'Go.' });
      symlinkSync(join(outside, 'agent.md'), join(dir, 'agent.json.new'));
      expect((await ask('PUT', '/agents/linked', { body: { project, prompt: 'New.' } })).status).toBe(200);
      expect(readFileSync(join(outside, 'agent.md'), 'utf8')).toBe(SECRET);
      expect(JSON.parse(readFileSync(join(dir, 'agent.json'), 'utf8')).prompt).toBe('New.');
    });
  });

  test('a folder without the two files is not a blueprint', async () => {
    mkdirSync(join(project, '.orchd/agents/empty'), { recursive: true });
    expect((await ask('GET', seen('empty'))).status).toBe(404);
  });
});

describe('blueprints from the command line', () => {
  test('a blueprint is created from a file and options, edited, listed, completed and deleted', async () => {
    writeFileSync(join(project, 'schema.json'), JSON.stringify(SCHEMA));
    const from = JSON.stringify({ description: 'old', prompt: 'Go.' });
    const made = await cli(
      [
        'create',
        'writer',
        '--from',
        '-',
        '--description',
        'new',
        '--output-schema',
        'schema.json',
        '--adapter',
        'claude',
      ],
      { input: from },
    );
    expect(made).toMatchObject({ code: 0, stdout: `created writer (stored, of ${project})\n` });
    expect((await cli(['edit', 'writer', '--model', 'opus', '--prompt', '', '--json'])).code).toBe(0);
    const shown = JSON.parse((await cli(['show', 'writer', '--json'])).stdout);
    expect(shown).toMatchObject({
      description: 'new',
      output_schema: SCHEMA,
      adapter: 'claude',
      model: 'opus',
      project,
    });
    expect(shown).not.toHaveProperty('prompt');
    expect((await cli(['show', 'writer'])).stdout).toMatch(/description +new\n[\s\S]*output_schema\n {2}\{\n/);
    const list = (await cli(['list'])).stdout;
    expect(list).toMatch(/^NAME +OF +SOURCE +ADAPTER +OUTPUT +DESCRIPTION\n/);
    expect(list).toMatch(/^writer +project +stored +claude +schema +new$/m);
    expect((await cli(['list', '-q', '--user'])).stdout.split('\n')).not.toContain('writer');
    const complete = spawn(process.execPath, [BIN, '__complete', 'agent', 'show', 'wri'], {
      env: daemon.env,
      cwd: project,
    });
    let words = '';
    for await (const chunk of complete.stdout) words += chunk;
    expect(words).toBe('writer\n');
    expect(await cli(['delete', 'writer'])).toMatchObject({ code: 0, stdout: 'deleted writer (the project’s)\n' });
    expect(await cli(['show', 'writer'])).toMatchObject({ code: 3 });
  });

  test('arguments, tools and limits are given and changed by options', async () => {
    const flags = ['--adapter', 'shell', '--arg', './count.sh', '--arg=-v', '--tool', 'ask', '--interactive'];
    expect((await cli(['create', 'counter', ...flags, '--timeout', '5m', '--max-turns', '9'])).code).toBe(0);
    const shown = async () => JSON.parse((await cli(['show', 'counter', '--json'])).stdout);
    expect(await shown()).toMatchObject({
      args: ['./count.sh', '-v'],
      tools: ['ask'],
      interactive: true,
      limits: { timeout: 300, max_turns: 9 },
    });
    expect((await cli(['edit', 'counter', '--tool', '', '--arg', './other.sh', '--timeout', '1m'])).code).toBe(0);
    const changed = await shown();
    expect(changed).toMatchObject({ args: ['./other.sh'], limits: { timeout: 60, max_turns: 9 } });
    expect(changed).not.toHaveProperty('tools');
  });

  test('validate prints the path of every error and exits with 6, or prints valid and exits with 0', async () => {
    const bad = await cli(['validate', '-'], {
      input: '{"name": "a", "limits": {"timeout": 0}, "output_schema": {"type": 1}}',
    });
    expect(bad.code).toBe(6);
    expect(bad.stdout).toMatch(/^\$\.limits\.timeout: .+\n\$\.output_schema\.type: /);
    expect(await cli(['validate', '-'], { input: '{"name": ' })).toMatchObject({
      code: 6,
      stdout: expect.stringMatching(/^\$: not JSON: .*line 1 column 10/),
    });
    expect(await cli(['validate', '-'], { input: '{"name": "a"}' })).toMatchObject({ code: 0, stdout: 'valid\n' });
  });

  test.each([
    [2, ['create']],
    [2, ['frobnicate', 'x']],
    [2, ['list', 'x']],
    [2, ['create', 'a', '--from', '-']],
    [2, ['create', 'a b']],
    [2, ['create', 'a', '--file', '--user']],
    [1, ['create', 'a', '--from', 'missing.json']],
    [3, ['delete', 'nobody']],
  ])('the exit code is %i for `orchd agent %j`', async (code, args) => {
    expect(await cli(args, { input: 'no JSON' })).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringMatching(/^orchd: .+\n/),
    });
  });
});
