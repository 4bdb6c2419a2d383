/**
 * Questions of Claude Code's hook `PermissionRequest`. The hook runs while Claude's own dialog is open, and the first
 * decision counts.
 *
 *     a tool          Yes, No (which ends the turn, as in the dialog), No with words (the agent continues with them)
 *     a question      one of its options, or words
 *
 * A dialog matches a hook only if it shows the same whole command, address or question, so that an answer cannot reach
 * another open dialog. Questions about files cannot be compared. orchd answers them with the dialog's keys, or through
 * the hook if it can read no dialog.
 */
import type { HookChoice, HookQuestion, HookTraits } from '../adapter.js';
import { asObject, asText, type Json, objectsIn, permissionText } from '../record.js';

/** Maximum length of a text. A person reads a longer one in the terminal. */
const MAX_TEXT = 8000;
const YES = 'Yes';
const NO = 'No';
const NO_BECAUSE = 'No, because: ';
const IN_WORDS = 'In words: ';
/** The field of a tool's input that the dialog shows unchanged. */
const SHOWN: Readonly<Record<string, string>> = { Bash: 'command', WebFetch: 'url' };

export const claudeHooks: HookTraits = {
  ask(payload) {
    const tool = asText(payload['tool_name']);
    const input = asObject(payload['tool_input']);
    if (payload['hook_event_name'] !== 'PermissionRequest' || tool === null || input === null) return null;
    const asked = tool === 'AskUserQuestion' ? question(input) : permission(tool, input);
    return asked && asked.text.length <= MAX_TEXT ? asked : null;
  },
};

function permission(tool: string, input: Json): HookQuestion | null {
  if (tool === 'ExitPlanMode') return null; // its dialog has choices of its own
  return {
    text: permissionText(tool, input),
    shows: asText(input[SHOWN[tool] ?? '']),
    choices: [
      { label: YES, output: () => decide({ behavior: 'allow' }) },
      { label: NO, output: () => decide({ behavior: 'deny', message: 'The person said no.', interrupt: true }) },
      { label: NO_BECAUSE, output: (message) => decide({ behavior: 'deny', message }) },
    ],
  };
}

/**
 * Returns the question if there is exactly one and it is single-choice; otherwise null, because the dialog asks several
 * in sequence.
 */
function question(input: Json): HookQuestion | null {
  const questions = objectsIn(input['questions']);
  const [first] = questions;
  const text = asText(first?.['question']);
  if (questions.length !== 1 || first === undefined || text === null || first['multiSelect'] === true) return null;
  const answer = (words: string) =>
    decide({ behavior: 'allow', updatedInput: { ...input, answers: { [text]: words } } });
  const options = objectsIn(first['options']).flatMap(({ label }): HookChoice[] => {
    const words = asText(label)?.trim() ?? '';
    return words === '' ? [] : [{ label: words, output: () => answer(words) }];
  });
  return { text, shows: text, choices: [...options, { label: IN_WORDS, output: answer }] };
}

const decide = (decision: Json): Json => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });
