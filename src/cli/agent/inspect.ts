/** `orchd agent list | show | delete | validate`: lists, shows, deletes and checks definitions. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Blueprint,
  definitionOf,
  displayLine,
  displayText,
  EXIT,
  OrchdError,
  type SchemaError,
} from '../../protocol/index.js';
import type { Cell } from '../printing/paint.js';
import { printList } from '../printing/print-list.js';
import { flag, type Options } from '../program/command.js';
import type { Context } from '../program/context.js';
import { readDefinition } from './definition.js';

/** The arguments of every action. */
export interface About {
  readonly name: string;
  /** The project to search, as passed to the operations. */
  readonly place: { readonly project?: string };
  readonly options: Options;
}

export async function listAgents(context: Context, { place, options }: About): Promise<undefined> {
  const isAll = flag(options, 'allProjects');
  const all = await context.client().call('blueprint.list', { ...place, ...(isAll && { all_projects: true }) });
  return printList(context, all, {
    idOf: ({ name }) => name,
    none: 'no blueprints; `orchd agent create NAME` makes one',
    head: ['NAME', 'OF', 'SOURCE', 'ADAPTER', 'OUTPUT', 'DESCRIPTION'],
    row: (one) => row(one, place.project),
  });
}

function row(one: Blueprint, here: string | undefined): Cell[] {
  const source = { text: one.shadows ? `${one.source}, hides one` : one.source };
  const of = { text: displayLine(ownerOf(one, here)) };
  if (one.problem) {
    const problem = { text: displayLine(one.problem.message), style: 'red' } as const;
    return [{ text: displayLine(one.name), style: 'bold' }, of, source, DASH, DASH, problem];
  }
  const about = { text: displayLine(one.description) || '-' };
  return [
    { text: one.name, style: 'bold' },
    of,
    source,
    { text: displayLine(one.adapter ?? '-') },
    { text: outputOf(one) },
    about,
  ];
}

const DASH: Cell = { text: '-', style: 'dim' };

const ownerOf = ({ project }: Blueprint, here: string | undefined): string =>
  project === null ? 'you' : project === here ? 'project' : project;

function outputOf({ output_schema, output_format }: Blueprint): string {
  if (output_format === 'envelope') return 'envelope';
  return output_schema === undefined ? (output_format ?? 'text') : 'schema';
}

export async function showAgent(context: Context, { name, place }: About): Promise<undefined> {
  const found = await context.client().call('blueprint.show', { name, ...place });
  await context.print(found, () => (context.isQuiet ? `${found.name}\n` : describe(context, found)));
  return undefined;
}

function describe({ paint }: Context, found: Blueprint): string {
  const where = displayLine(found.file ?? 'the daemon');
  const short: [string, string][] = [
    ['name', found.name],
    ['of', displayLine(found.project ?? 'you')],
    ['in', found.shadows ? `${where} (it hides a stored one of this name)` : where],
  ];
  const long: [string, string][] = [];
  for (const [field, value] of Object.entries(definitionOf(found))) {
    if (field === 'name') continue;
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, field.endsWith('schema') ? 2 : 0);
    if (text === '') continue;
    (text.includes('\n') ? long : short).push([field, displayText(text)]);
  }
  if (found.updated_at !== null) short.push(['saved', found.updated_at]);
  const width = Math.max(...short.map(([field]) => field.length));
  const lines = short.map(([field, value]) => `${paint('dim', field.padEnd(width))}  ${value}`);
  const blocks = long.map(([field, value]) => `\n${paint('dim', field)}\n${value.replaceAll(/^/gm, '  ')}`);
  return `${[...lines, ...blocks].join('\n')}\n`;
}

export async function deleteAgent(context: Context, { name, place }: About): Promise<undefined> {
  const gone = await context.client().call('blueprint.delete', { name, ...place });
  await context.print(gone, () => {
    if (context.isQuiet) return `${name}\n`;
    const which = gone.source === 'file' ? 'the project’s files' : gone.project === null ? 'yours' : 'the project’s';
    const now = gone.now;
    const whose =
      now?.source === 'built-in' ? 'the built-in one' : `the stored one, ${now?.project ? 'the project’s' : 'yours'},`;
    const left = now === null ? '' : `; now ${whose} counts`;
    return `deleted ${name} (${which})${left}\n`;
  });
  return undefined;
}

/** Matches the file of a project's blueprint. */
const OF_PROJECT = /^(.*)\/\.orchd\/agents\/([^/]+)\/agent\.json$/;

/** Checks a file, standard input, or an existing blueprint by name. */
export async function validateAgent(context: Context, { name, place }: About): Promise<number | undefined> {
  const errors =
    name === '-' || existsSync(name) ? await errorsOf(context, name) : await errorsIn(context, name, place);
  // A project's file must also agree with its folder and with the `agent.md` beside it.
  const [, project, folder] = OF_PROJECT.exec(resolve(name)) ?? [];
  if (errors.length === 0 && project !== undefined && folder !== undefined && existsSync(name))
    errors.push(...(await errorsIn(context, folder, { project })));
  await context.print({ valid: errors.length === 0, errors }, () => {
    if (errors.length === 0) return context.isQuiet ? '' : 'valid\n';
    return errors.map(({ path, message }) => `${displayLine(path)}: ${displayLine(message)}\n`).join('');
  });
  return errors.length === 0 ? undefined : EXIT.schema;
}

async function errorsOf(context: Context, file: string): Promise<SchemaError[]> {
  const reading = await readDefinition(file);
  if (!reading.ok) return [...reading.errors];
  return (await context.client().call('blueprint.validate', reading.fields)).errors;
}

async function errorsIn(context: Context, name: string, place: About['place']): Promise<SchemaError[]> {
  try {
    await context.client().call('blueprint.show', { name, ...place });
    return [];
  } catch (error) {
    if (!(error instanceof OrchdError) || error.code !== 'ORCHD_BLUEPRINT_DAMAGED') throw error;
    return error.details?.['errors'] as SchemaError[]; // the daemon sends this type
  }
}
