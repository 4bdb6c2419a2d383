/**
 * Reads from an agent's transcript when it recorded its messages, to compare the times with orchd's events.
 *
 * In:   the folders in which the agent and its hooks write, before they are cleared at the session's end.
 * Out:  for each message the time of its record in milliseconds since the epoch.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { adapterNamed } from '../../src/session/adapters/index.js';

/**
 * @param wanted The text that a record must contain, for each message.
 * @returns Times in the same order; null if no record has a time.
 */
export function recordTimes(adapter: string, folders: readonly string[], wanted: readonly string[]): (number | null)[] {
  const traits = adapterNamed(adapter)?.transcript;
  const times: (number | null)[] = wanted.map(() => null);
  if (!traits) return times;
  for (const file of folders.flatMap((folder) => filesIn(folder))) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const { at, items } = traits.read(line, file.endsWith('/feed.jsonl'));
      for (const item of items) {
        if (item.kind !== 'text' || at === null) continue;
        const place = wanted.findIndex((words) => item.text.includes(words));
        if (place !== -1) times[place] ??= at;
      }
    }
  }
  return times;
}

/** True if a file in a folder contains the exact JSON of a question, as printed by the model. */
export function isRecorded(folder: string, data: object): boolean {
  // In a record the text is a JSON string: its quotes and line ends are escaped once more.
  const printed = JSON.stringify(JSON.stringify(data, null, 2).split('\n').slice(1, -1).join('\n  ')).slice(1, -1);
  return filesIn(folder, /\.(?:jsonl?|db|sqlite|log)$/).some((file) => readFileSync(file, 'utf8').includes(printed));
}

function filesIn(folder: string, name = /\.jsonl$/): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path) && !path.includes('node_modules'))
    .map((path) => join(folder, path));
}
