/**
 * Blueprints as files of a project: `<project>/.orchd/agents/<name>/agent.json`, and beside it `agent.md` with the
 * instructions.
 *
 * Files are read on every request and never cached. A file that cannot be used is returned with its problem. A file is
 * replaced atomically. agent.json keeps the order of its fields and is written last. Callers pass only valid names of
 * blueprints, so there is no path traversal.
 *
 * A cloned repository may contain symbolic links. A link that leads out of the project is not read, written or followed
 * for removal, as with `FROM` in an Agentfile. Links within the project work.
 */
import { constants } from 'node:fs';
import { mkdir, open, readdir, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readJson } from '../../ears/index.js';
import {
  type BlueprintDefinition,
  DEFINITION_FIELDS,
  errorMessage,
  isBlueprintName,
  MAX_BODY_BYTES,
  OrchdError,
  type SchemaError,
} from '../../protocol/index.js';
import { leadsOut, outsideOf, type ProjectText, readProjectText } from '../projects/index.js';

/** The files of one blueprint. */
export interface AgentFiles {
  /** Name of the folder. */
  readonly name: string;
  /** Path of agent.json. */
  readonly file: string;
  /** Null if agent.json is missing. */
  readonly updatedAt: Date | null;
  /** The fields of agent.json, and the instructions; null if they cannot be read. */
  readonly fields: Readonly<Record<string, unknown>> | null;
  /** Problems of the files themselves. */
  readonly errors: readonly SchemaError[];
}

const agentsDir = (project: string): string => join(project, '.orchd', 'agents');
export const agentFile = (project: string, name: string): string => join(agentsDir(project), name, 'agent.json');
const instructionsFile = (file: string): string => join(dirname(file), 'agent.md');
/** Returns the project of an agent.json: `<project>/.orchd/agents/<name>/agent.json`. */
const projectOfFile = (file: string): string => dirname(dirname(dirname(dirname(file))));

/** Returns all blueprints of a project, sorted by name. */
export async function listAgentFiles(project: string): Promise<AgentFiles[]> {
  const names = await readdir(agentsDir(project)).catch(() => []);
  const all: AgentFiles[] = [];
  for (const name of names.filter((one) => !one.startsWith('.')).sort()) {
    const found = await readAgentFiles(project, name);
    if (found) all.push(found);
  }
  return all;
}

/** @returns Null if there are no files with this name. */
export async function readAgentFiles(project: string, name: string): Promise<AgentFiles | null> {
  const file = agentFile(project, name);
  const [json, instructions] = [await readText(file, project), await readText(instructionsFile(file), project)];
  if (json === null && instructions === null) return null;
  const bad = (...errors: SchemaError[]): AgentFiles => ({
    name,
    file,
    updatedAt: json?.at ?? null,
    fields: null,
    errors,
  });
  if (json === null) return bad({ path: '$', message: 'there is agent.md alone: agent.json is missing' });
  for (const one of [json, instructions]) if (one?.problem) return bad({ path: '$', message: one.problem });
  const reading = readJson(json.text);
  if (!reading.ok) return bad({ ...reading.error, message: `agent.json is not JSON: ${reading.error.message}` });
  const { value } = reading;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return bad({ path: '$', message: 'agent.json must hold an object' });
  }
  const fields = { ...value } as Record<string, unknown>; // a JSON object has text keys
  const errors: SchemaError[] = [];
  if (!isBlueprintName(name)) errors.push({ path: '$.name', message: `its folder '${name}' has no blueprint's name` });
  else if (typeof fields['name'] === 'string' && fields['name'] !== name) {
    errors.push({ path: '$.name', message: `'${fields['name']}' is not the name of its folder, '${name}'` });
  }
  if (instructions) {
    if (fields['instructions'] !== undefined) {
      errors.push({ path: '$.instructions', message: 'they stand in agent.md as well: keep one of the two' });
    }
    fields['instructions'] = instructions.text.replace(/\r?\n$/, '');
  }
  return { name, file, updatedAt: json.at, fields, errors };
}

const readText = (file: string, project: string): Promise<ProjectText | null> =>
  readProjectText(project, file, MAX_BODY_BYTES);

/**
 * @param before The current fields, whose order is kept; null for new files.
 * @throws {OrchdError} ORCHD_FILE; the old files are then unchanged.
 */
export async function writeAgentFiles(
  file: string,
  { instructions, ...rest }: BlueprintDefinition,
  before: AgentFiles['fields'],
): Promise<void> {
  const order = [...Object.keys(before ?? {}), ...DEFINITION_FIELDS];
  const fields = rest as Readonly<Record<string, unknown>>; // the next line reads fields by name
  const kept = [...new Set(order)].flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]]));
  const text = `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`;
  try {
    await refuseOutside(file);
    await mkdir(dirname(file), { recursive: true });
    if (instructions === undefined) await rm(instructionsFile(file), { force: true });
    else if (instructions !== before?.['instructions'] || !(await isThere(instructionsFile(file)))) {
      await replace(instructionsFile(file), `${instructions}\n`);
    }
    await replace(file, text);
  } catch (error) {
    throw new OrchdError('ORCHD_FILE', `${file} cannot be written: ${errorMessage(error)}`, { file }, error);
  }
}

/**
 * Removes the two files, and the folder if it is then empty.
 * @throws {OrchdError} ORCHD_FILE
 */
export async function removeAgentFiles(file: string): Promise<void> {
  try {
    await refuseOutside(file);
    await rm(file, { force: true });
    await rm(instructionsFile(file), { force: true });
  } catch (error) {
    throw new OrchdError('ORCHD_FILE', `${file} cannot be removed: ${errorMessage(error)}`, { file }, error);
  }
  await rmdir(dirname(file)).catch(() => {}); // The folder contains other files of the user.
}

/** @throws {Error} if agent.json or agent.md of this folder leads out of the project. */
async function refuseOutside(file: string): Promise<void> {
  for (const one of [file, instructionsFile(file)]) {
    const outside = await outsideOf(projectOfFile(file), one);
    if (outside !== null) throw new Error(leadsOut(one, outside));
  }
}

/** Flags for a new file: opening fails if the name already exists, for example as a planted link. */
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Replaces a file by a complete new one, which is on disk before the rename. A link stays a link. */
async function replace(file: string, text: string): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const fresh = `${target}.new`;
  const mode = await stat(target).then(
    (about) => about.mode & 0o777,
    () => 0o644,
  );
  await rm(fresh, { force: true }); // A crash left it, or another program placed it there.
  const handle = await open(fresh, CREATE, mode);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, target);
}

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );
