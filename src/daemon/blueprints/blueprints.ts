/**
 * Blueprints: looks them up by name, and creates, changes and deletes them.
 *
 * The search order of a project is: its files, the blueprints stored for it, the user's own, then orchd's built-in
 * ones. The first one with the name is used, and its listing says that it hides another. Files are read on every
 * request. A damaged file is listed with its problem and cannot be used. It still hides the others, because otherwise
 * another blueprint would be used silently.
 * Changes of one name run one after the other. A definition is saved only after a complete check.
 */
import { resolve } from 'node:path';
import {
  type Blueprint,
  type BlueprintDefinition,
  type BlueprintDeleteOutput,
  definitionOf,
  isBlueprintName,
  OrchdError,
  type SchemaError,
} from '../../protocol/index.js';
import type { ResultChecker } from '../../results/index.js';
import { KeyedQueue } from '../concurrency/index.js';
import {
  type AgentFiles,
  agentFile,
  listAgentFiles,
  readAgentFiles,
  removeAgentFiles,
  writeAgentFiles,
} from './agent-files.js';
import { BUILT_IN, builtIn } from './built-in.js';
import { checkDefinition } from './check.js';
import { nearNames } from './near-names.js';
import { blueprintId, type StoredBlueprints } from './stored.js';

interface BlueprintsPorts {
  readonly stored: StoredBlueprints;
  readonly checker: ResultChecker;
}

/** Finds, checks, creates, changes and deletes blueprints, from files and from the store. */
export class Blueprints {
  readonly #ports: BlueprintsPorts;
  /** The running and waiting changes, by project and name. */
  readonly #queue = new KeyedQueue();

  constructor(ports: BlueprintsPorts) {
    this.#ports = ports;
  }

  /** Returns the blueprints that a name would select, sorted by name; damaged ones have a `problem`. */
  async list(from: string | undefined, allProjects = false): Promise<Blueprint[]> {
    const project = resolved(from);
    const files = project === null ? [] : await listAgentFiles(project);
    const found: Blueprint[] = [];
    for (const one of files) found.push(await this.#fromFiles(project ?? '', one));
    for (const one of this.#ports.stored.all()) {
      const isSeen = one.project === null || one.project === project;
      if (isSeen ? !this.#isHidden(one, project, found) : allProjects) found.push(one);
    }
    found.push(...BUILT_IN.filter(({ name }) => found.every((one) => one.name !== name)));
    return found
      .map((one) => ({ ...one, shadows: this.#shadows(one) }))
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  /**
   * Returns the blueprint that the name selects.
   * @throws {OrchdError} ORCHD_BLUEPRINT_UNKNOWN, ORCHD_BLUEPRINT_DAMAGED
   */
  async show(name: string, from?: string): Promise<Blueprint> {
    const found = await this.#require(name, from);
    if (found.problem) throw damaged(found, found.problem);
    return found;
  }

  /** @throws {OrchdError} ORCHD_INVALID, ORCHD_ADAPTER_UNKNOWN, ORCHD_BLUEPRINT_EXISTS, ORCHD_FILE, ORCHD_STORE_FULL */
  async create(definition: BlueprintDefinition, from: string | undefined, inFiles = false): Promise<Blueprint> {
    const project = resolved(from);
    const { name } = definition;
    if (inFiles && project === null) {
      throw invalid([{ path: '$.in_files', message: 'files belong to a project: say which' }]);
    }
    await this.#mustBeGood(definition);
    return this.#inTurn(project, name, async () => {
      const files = project === null ? null : await readAgentFiles(project, name);
      if (files) throw exists(name, `in ${files.file}`);
      if (inFiles && project !== null) {
        await writeAgentFiles(agentFile(project, name), definition, null);
        await this.#ports.stored.tell('blueprint_saved', project, name);
      } else {
        if (this.#ports.stored.get(project, name)) throw exists(name, project === null ? '' : `in ${project}`);
        await this.#ports.stored.put(project, definition);
      }
      return this.#require(name, from);
    });
  }

  /**
   * Replaces the whole definition of the blueprint that the name selects.
   * @throws {OrchdError} As `create`, or ORCHD_BLUEPRINT_UNKNOWN.
   */
  async update(name: string, definition: BlueprintDefinition, from?: string): Promise<Blueprint> {
    await this.#mustBeGood(definition);
    const { project } = changeable(await this.#require(name, from));
    return this.#inTurn(project, name, async () => {
      const now = await this.#require(name, from);
      if (now.file === null) await this.#ports.stored.put(now.project, definition);
      else if (now.project !== null) {
        const before = await readAgentFiles(now.project, name);
        await writeAgentFiles(now.file, definition, before?.fields ?? null);
        await this.#ports.stored.tell('blueprint_saved', now.project, name);
      }
      return this.#require(name, from);
    });
  }

  /** @throws {OrchdError} ORCHD_BLUEPRINT_UNKNOWN, ORCHD_FILE, ORCHD_STORE_FULL */
  async delete(name: string, from?: string): Promise<BlueprintDeleteOutput> {
    const { project } = changeable(await this.#require(name, from));
    return this.#inTurn(project, name, async () => {
      const gone = await this.#require(name, from);
      if (gone.file === null) await this.#ports.stored.remove(gone.project, name);
      else if (gone.project !== null) {
        await removeAgentFiles(gone.file);
        await this.#ports.stored.tell('blueprint_deleted', gone.project, name);
      }
      const { project: whose, source } = gone;
      return { name, project: whose, source, now: await this.#find(name, resolved(from)) };
    });
  }

  /** Returns all errors of a definition without saving it. */
  validate(definition: Readonly<Record<string, unknown>>): Promise<SchemaError[]> {
    return checkDefinition(definition, this.#ports.checker, adapterProblem);
  }

  async #mustBeGood(definition: BlueprintDefinition): Promise<void> {
    if (definition.adapter !== undefined) (await import('../../session/index.js')).requireAdapter(definition.adapter);
    const errors = await this.validate({ ...definition });
    if (errors.length > 0) throw invalid(errors);
  }

  async #require(name: string, from: string | undefined): Promise<Blueprint> {
    const found = await this.#find(name, resolved(from));
    if (found) return found;
    const near = nearNames(
      name,
      (await this.list(from)).map((one) => one.name),
    );
    const words = near.length === 0 ? '' : `; there is ${near.map((one) => `'${one}'`).join(', ')}`;
    throw new OrchdError('ORCHD_BLUEPRINT_UNKNOWN', `no blueprint '${name}'${words}`, { near });
  }

  async #find(name: string, project: string | null): Promise<Blueprint | null> {
    // An invalid name could be a path traversal.
    const files = project === null || !isBlueprintName(name) ? null : await readAgentFiles(project, name);
    const { stored } = this.#ports;
    const found =
      files && project !== null
        ? await this.#fromFiles(project, files)
        : (stored.get(project, name) ?? stored.get(null, name) ?? builtIn(name));
    return found && { ...found, shadows: this.#shadows(found) };
  }

  async #fromFiles(project: string, files: AgentFiles): Promise<Blueprint> {
    const { name, file, updatedAt, fields } = files;
    const errors = [...files.errors, ...(fields ? await this.validate(fields) : [])];
    // Validated above.
    const definition = errors.length === 0 ? definitionOf(fields as unknown as BlueprintDefinition) : { name };
    return {
      description: '',
      type: 'autonomous',
      ...definition,
      project,
      source: 'file',
      file,
      shadows: false,
      created_at: null,
      updated_at: updatedAt?.toISOString() ?? null,
      ...(errors.length > 0 && { problem: { message: summary(errors), errors: [...errors] } }),
    };
  }

  #isHidden({ name, project: own }: Blueprint, project: string | null, files: readonly Blueprint[]): boolean {
    const isInFiles = files.some((one) => one.source === 'file' && one.name === name);
    return isInFiles || (own === null && project !== null && this.#ports.stored.get(project, name) !== null);
  }

  #shadows({ name, project, source }: Blueprint): boolean {
    if (project === null) return false;
    const { stored } = this.#ports;
    return stored.get(null, name) !== null || (source === 'file' && stored.get(project, name) !== null);
  }

  #inTurn<T>(project: string | null, name: string, work: () => Promise<T>): Promise<T> {
    return this.#queue.run(blueprintId(project, name), work);
  }
}

const resolved = (from: string | undefined): string | null => (from === undefined ? null : resolve(from));

async function adapterProblem(name: string): Promise<string | null> {
  const { requireAdapter } = await import('../../session/index.js');
  try {
    requireAdapter(name);
    return null;
  } catch (error) {
    return error instanceof OrchdError ? error.message : String(error);
  }
}

const summary = (errors: readonly SchemaError[]): string =>
  errors.map(({ path, message }) => `${path}: ${message}`).join('; ');

function invalid(errors: readonly SchemaError[]): OrchdError {
  return new OrchdError('ORCHD_INVALID', `the blueprint does not fit: ${summary(errors)}`, { errors });
}

function damaged({ name, file }: Blueprint, { message, errors }: NonNullable<Blueprint['problem']>): OrchdError {
  return new OrchdError('ORCHD_BLUEPRINT_DAMAGED', `'${name}' cannot be used (${file}): ${message}`, { file, errors });
}

/** @throws {OrchdError} ORCHD_INVALID for a built-in blueprint. */
function changeable(blueprint: Blueprint): Blueprint {
  if (blueprint.source !== 'built-in') return blueprint;
  const { name } = blueprint;
  const message = `'${name}' is built in: make your own of that name, which counts instead (\`orchd agent create ${name}\`)`;
  throw new OrchdError('ORCHD_INVALID', message);
}

function exists(name: string, where: string): OrchdError {
  return new OrchdError('ORCHD_BLUEPRINT_EXISTS', `there is a blueprint '${name}' already${where && ` ${where}`}`);
}
