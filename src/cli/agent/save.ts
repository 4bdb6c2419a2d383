/** `orchd agent create | edit`: from a file, from options, or in the person's editor. */
import {
  type Blueprint,
  type BlueprintDefinition,
  definitionOf,
  displayLine,
  type InputOf,
  OrchdError,
} from '../../protocol/index.js';
import { editInEditor } from '../../tui/input/external-editor.js';
import { flag } from '../program/command.js';
import type { Context } from '../program/context.js';
import { type Fields, parseDefinition, readChanges, readFrom } from './definition.js';
import type { About } from './inspect.js';

export async function createAgent(context: Context, { name, place, options }: About): Promise<undefined> {
  const inFiles = flag(options, 'file');
  if (inFiles && flag(options, 'user')) throw new OrchdError('ORCHD_USAGE', '--file is of a project, --user of yours');
  const fields = named(name, { ...(await readFrom(options)), ...(await readChanges(options)) });
  // If there is no project, the files are created in this directory, which thereby becomes a project.
  const where = inFiles ? { project: context.cwd, ...place, in_files: true } : place;
  const input = { ...fields, ...where } as InputOf<'blueprint.create'>; // the daemon validates it
  await said(context, await context.client().call('blueprint.create', input), 'created');
  return undefined;
}

export async function editAgent(context: Context, about: About): Promise<undefined> {
  const { name, place, options } = about;
  const client = context.client();
  const from = await readFrom(options);
  const changes = await readChanges(options);
  // `--from` contains the whole definition, so a damaged one need not be read.
  const before: Fields = from ?? { ...definitionOf(await client.call('blueprint.show', { name, ...place })) };
  if (from === null && Object.keys(changes).length === 0) return editByHand(context, about, before);
  const limits = { ...Object(before['limits']), ...Object(changes['limits']) };
  const all = { ...before, ...changes, ...(changes['limits'] !== undefined && { limits }) };
  await said(context, await save(context, about, all), 'changed');
  return undefined;
}

async function save(context: Context, { name, place }: About, fields: Fields): Promise<Blueprint> {
  const input = { ...named(name, fields), ...place } as InputOf<'blueprint.update'>; // The daemon validates it.
  return context.client().call('blueprint.update', input);
}

/** If the daemon rejects the edited text, its file is kept, so that the person does not have to type it again. */
async function editByHand(context: Context, about: About, before: Fields | BlueprintDefinition): Promise<undefined> {
  if (!process.stdin.isTTY) {
    throw new OrchdError(
      'ORCHD_USAGE',
      'an editor needs a terminal: use --from FILE, or the options of `orchd agent create`',
    );
  }
  const text = JSON.stringify(before, null, 2);
  const edited = await editInEditor(context.env, text, 'agent.json');
  let isKept = false;
  try {
    if (edited.problem !== null) throw new OrchdError('ORCHD_FILE', edited.problem);
    if (edited.text === text) {
      context.note('nothing was changed');
      return undefined;
    }
    const reading = parseDefinition(edited.text);
    if (!reading.ok) {
      const message = reading.errors.map((error) => error.message).join('; ');
      throw new OrchdError('ORCHD_INVALID', message, { errors: reading.errors });
    }
    await said(context, await save(context, about, reading.fields), 'changed');
  } catch (error) {
    isKept = edited.text !== text;
    if (!isKept || !(error instanceof OrchdError)) throw error;
    const again = `your text is kept: orchd agent edit ${about.name} --from ${edited.file}`;
    throw new OrchdError(error.code, `${error.message}\n  ${again}`, { ...error.details, file: edited.file });
  } finally {
    if (!isKept) edited.discard();
  }
  return undefined;
}

/**
 * Adds the name from the command line, which the text may omit.
 * @throws {OrchdError} ORCHD_USAGE if the text contains another name.
 */
function named(name: string, fields: Fields): Fields {
  const { name: own = name } = fields;
  if (own === name) return { name, ...fields };
  throw new OrchdError('ORCHD_USAGE', `the definition is named '${displayLine(String(own))}', not '${name}'`);
}

async function said(context: Context, saved: Blueprint, how: 'created' | 'changed'): Promise<void> {
  await context.print(saved, () => {
    if (context.isQuiet) return `${saved.name}\n`;
    const where = saved.file ?? (saved.project === null ? 'stored, yours' : `stored, of ${saved.project}`);
    return (
      `${how} ${saved.name} ` +
      `(${displayLine(where)})${saved.shadows ? '; it hides a stored one of this name' : ''}\n`
    );
  });
}
