/**
 * Determines the text that an answer sends: an option, a review's verdict, or a refusal. Control characters are
 * removed.
 */
import { type Item, OrchdError, optionsOf, takesText } from '../../protocol/index.js';

/** Exactly one of the three is set. */
export interface AnswerRequest {
  readonly text?: string;
  readonly option?: number;
  readonly decline?: true;
}

export interface AnswerText {
  readonly text: string;
  readonly option?: number;
  readonly declined?: true;
}

const DECLINED_TEXT = 'declined';

/**
 * @throws {OrchdError} ORCHD_OPTION_UNKNOWN. ORCHD_INVALID unless exactly one of text, option and decline is given;
 *   also for a blank answer, for text to a program's own dialog, and for a text that is not among the options of a
 *   workflow's choice.
 */
export function answerText(item: Pick<Item, 'type' | 'data' | 'workflow_id'>, request: AnswerRequest): AnswerText {
  const given = [request.decline, request.option, request.option === undefined ? request.text : undefined];
  if (given.filter((value) => value !== undefined).length !== 1) {
    throw new OrchdError('ORCHD_INVALID', 'give exactly one of `text`, `option` and `decline`');
  }
  const isFixed = !optionsOf(item)[(request.option ?? 0) - 1]?.endsWith(' ');
  if (
    !takesText(item) &&
    ((request.text !== undefined && isFixed) || (request.option !== undefined && !item.data['options']))
  ) {
    const message = 'this is a dialog of the program itself: choose one of its options, or attach and answer it there';
    throw new OrchdError('ORCHD_INVALID', message);
  }
  if (request.decline) return { text: DECLINED_TEXT, declined: true };
  if (request.option !== undefined)
    return {
      text: optionText(item, request.option, request.text),
      option: request.option,
    };
  const text = typeable(request.text ?? '');
  if (text.trim() === '')
    throw new OrchdError('ORCHD_INVALID', 'an answer cannot be empty; `--decline` sends a refusal');
  const options = optionsOf(item);
  if (item.workflow_id === undefined || options.length === 0) return { text };
  const at = options.indexOf(text.trim());
  if (at !== -1) return { text: text.trim(), option: at + 1 };
  throw new OrchdError('ORCHD_INVALID', `the workflow takes one of its options: ${options.join(', ')}`);
}

function optionText(item: Pick<Item, 'type' | 'data'>, option: number, more: string | undefined): string {
  const options = optionsOf(item);
  const chosen = options[option - 1];
  if (chosen === undefined) {
    const known = options.length === 0 ? 'it offers none' : `it offers 1 to ${options.length}`;
    throw new OrchdError('ORCHD_OPTION_UNKNOWN', `the item has no option ${option}: ${known}`);
  }
  const text = typeable(chosen);
  if (!text.endsWith(' ')) return text;
  if (more === undefined || more.trim() === '') {
    throw new OrchdError('ORCHD_INVALID', `option ${option} wants text after it: "${text}…"`);
  }
  return text + typeable(more);
}

/**
 * Removes characters that could control a terminal: ESC and all of C0 except newline and tab, DEL, C1. CR LF becomes a
 * newline.
 */
export function typeable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}

/** Removes all blanks. An agent shows and records a typed text with other blanks than it was typed with. */
export const withoutTypedBlanks = (text: string): string => text.replace(/[\s\u2800]+/g, '');
