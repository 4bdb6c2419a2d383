/**
 * Generates the tables of folders in docs/internals/architecture.md. The sentence for a folder is the first one of the
 * header of its `index.ts`. A folder without such a file has its sentence here.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from './markdown.js';

const SRC = join(import.meta.dirname, '../..');
/** The rooms whose folders are listed. */
const ROOMS = ['daemon', 'session', 'tui', 'cli', 'web'] as const;
const SENTENCES: Readonly<Record<string, string>> = {
  'session/hearing': 'Finds what an agent says: joins rows, screen, transcript, hooks and typed input.',
  'session/recordings': 'Reads, writes and plays recordings in the asciicast format.',
  'session/rows': 'Reads rows and control sequences from output.',
  'session/screen': "A session's emulators: one to read the screen of a program that paints, one for viewers.",
  'session/signals': "Reads an agent's activity and dialogs from its screen and title.",
  'session/turn': 'Finds what a plain program printed in its turn, without the echo of typed text.',
  'tui/acts': 'What keys and the mouse change: the position of the person, and requests to the daemon.',
  'tui/attach': "The terminal while one session's program is attached.",
  'tui/effects': 'Carries out requests: starts sessions, creates worktrees, keeps drafts, notifies the terminal.',
  'tui/grid': 'Several live sessions beside one another.',
  'tui/input': 'Keys, line editors and the external editor.',
  'tui/model': 'What the daemon told: sessions, items, tasks, runs and workflows, kept current by events.',
  'tui/paint': 'Text, colours, themes and the areas of frames.',
  'tui/plain': 'The TUI for screen readers: questions and answers as lines.',
  'tui/rows': 'Formats items, runs, tasks, workflow steps and screens as rows.',
  'tui/view': 'The store of the TUI, and the layout of its frame.',
  'cli/agent': 'Subcommands of `orchd agent`.',
  'cli/daemon': 'Starts, checks and stops the daemon and its host.',
  'cli/hub': 'Subcommands of `orchd hub`, and lists of all machines.',
  'cli/inbox': 'Answers items.',
  'cli/input': 'Reads values, files and confirmations from the person.',
  'cli/layout': "Subcommands of `orchd layout`: the sessions of a project's layout.",
  'cli/printing': 'Formats output: lists, items, events, colours, times.',
  'cli/program': 'Parses arguments, prints help, completes words and runs a command.',
  'cli/recording': 'Exports and plays recordings.',
  'cli/runs': 'Subcommands of `orchd runs`, and the options of a run.',
  'cli/service': 'The daemon as a service of launchd or systemd.',
  'cli/sessions': 'Attaches to sessions, follows their output, and opens the TUI.',
  'cli/task': 'Subcommands of `orchd task`.',
  'cli/workflow': 'Subcommands of `orchd workflow`.',
  'web/agents': 'The pages of blueprints.',
  'web/browser': 'Browser features: keys, focus, storage, files, the theme.',
  'web/code': 'Editors for Agentfiles and JSON Schemas.',
  'web/envelopes': 'The page that finds envelopes in a text.',
  'web/events': 'The pages of the event log and of explanations.',
  'web/frame': 'The frame of every page: navigation, the palette, keys, the connection.',
  'web/inbox': 'The page of open items, and answering.',
  'web/live': 'Calls and events: loads what the pages show again when it changes.',
  'web/login': 'The page that asks for the token.',
  'web/parts': 'Components that several pages use.',
  'web/public': 'Files that the daemon serves unchanged.',
  'web/recordings': 'The pages of recordings, and their player.',
  'web/runs': 'The pages of runs.',
  'web/sessions': 'The pages of sessions.',
  'web/styles': 'Style sheets.',
  'web/system': 'The page of the daemon: figures, configuration, devices.',
  'web/tasks': 'The pages of tasks.',
  'web/terminal': 'Terminals in the browser.',
  'web/text': 'Text that agents wrote: Markdown, JSON, labels.',
  'web/workflows': 'The pages of workflow runs and Agentfiles.',
};

const PLACE = /<!-- folders -->[\s\S]*<!-- \/folders -->/;

/** @returns The page with its tables renewed. */
export function renewArchitecturePage(page: string): string {
  if (!PLACE.test(page)) throw new Error('docs/internals/architecture.md has no place for the folders');
  const tables = ROOMS.map((room) => table([`folder of \`src/${room}\``, 'contents'], rowsOf(room)));
  return page.replace(PLACE, () => `<!-- folders -->\n${tables.join('\n\n')}\n<!-- /folders -->`);
}

function rowsOf(room: string): (readonly string[])[] {
  return readdirSync(join(SRC, room), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => [`\`${name}\``, sentenceOf(`${room}/${name}`)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** @throws {Error} if the folder has neither a header in its index nor a sentence here. */
function sentenceOf(folder: string): string {
  const index = join(SRC, folder, 'index.ts');
  const header = existsSync(index) ? /^\/\*\*(.*?)\*\//s.exec(readFileSync(index, 'utf8'))?.[1] : undefined;
  const text = header?.replace(/\s*\n \*\s*/g, ' ').trim();
  const sentence = SENTENCES[folder] ?? text?.match(/^.*?\.(?= |$)/)?.[0];
  if (sentence === undefined) throw new Error(`src/${folder} has no sentence: add one to ${import.meta.filename}`);
  return sentence;
}
