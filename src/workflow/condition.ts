/**
 * Evaluates a condition: WHEN $verdict == "approve". Pure.
 *
 * A variable may be text where a number or a boolean is expected (an INPUT is always text). The text is then parsed as
 * that type. Lists and objects can only be compared for equality with another variable. An unset variable is equal to
 * no value.
 */
import { textOf, type Values } from './interpolate.js';
import type { Condition } from './workflow.js';

type Verdict = { readonly ok: true; readonly holds: boolean } | { readonly ok: false; readonly problem: string };

/**
 * Evaluates a condition.
 *
 * @returns `ok: false` with the problem if `<`, `<=`, `>` or `>=` compares a value that is not a number.
 */
export function judge({ variable, operator, right }: Condition, values: Values): Verdict {
  const left = values.get(variable);
  const other = 'value' in right ? right.value : values.get(right.variable);
  if (operator === '==' || operator === '!=') {
    return { ok: true, holds: isSame(left, other) === (operator === '==') };
  }
  const [a, b] = [numberOf(left), numberOf(other)];
  if (a === null || b === null) {
    const which = a === null ? `$${variable}` : 'value' in right ? 'the other side' : `$${right.variable}`;
    const what = textOf(a === null ? left : other);
    return {
      ok: false,
      problem: `${which} is not a number (${JSON.stringify(what.slice(0, MAX_SHOWN))}), and ${operator} compares numbers`,
    };
  }
  const holds = { '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b }[operator];
  return { ok: true, holds };
}

const MAX_SHOWN = 60;
const NUMBER = /^\s*-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/;

function isSame(a: unknown, b: unknown): boolean {
  if (a === undefined || a === null || b === undefined || b === null) return false;
  if (typeof a === 'number' || typeof b === 'number') return numberOf(a) !== null && numberOf(a) === numberOf(b);
  if (typeof a === 'boolean' || typeof b === 'boolean') return textOf(a) === textOf(b);
  return textOf(a) === textOf(b);
}

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : null;
}
