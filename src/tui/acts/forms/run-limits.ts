/** Parses the limits of a run as typed into the form: `10m`, `20` turns, `2.50` dollars. Pure. */
import type { BlueprintLimits } from '../../../protocol/index.js';

interface LimitTexts {
  readonly timeout: string;
  readonly turns: string;
  readonly cost: string;
}

type Read = { readonly limits: BlueprintLimits | undefined } | { readonly problem: string };

const SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

/** Parses the limits of a run. An empty text means no limit. */
export function readLimits({ timeout, turns, cost }: LimitTexts): Read {
  const time = /^(\d{1,9}(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(timeout);
  if (timeout !== '' && (!time || Number(time[1]) === 0))
    return { problem: `the time is a duration such as 90s, 10m or 2h, not '${timeout}'` };
  if (turns !== '' && !/^[1-9]\d{0,8}$/.test(turns)) return { problem: `the turns are a whole number, not '${turns}'` };
  if (cost !== '' && !(/^\d{1,6}(\.\d+)?$/.test(cost) && Number(cost) > 0))
    return { problem: `the cost is in US dollars, such as 2.50, not '${cost}'` };
  const limits = {
    ...(time && { timeout: Number(time[1]) * (SECONDS[time[2] ?? 's'] ?? 1) }),
    ...(turns !== '' && { max_turns: Number(turns) }),
    ...(cost !== '' && { max_cost: Number(cost) }),
  };
  return { limits: Object.keys(limits).length === 0 ? undefined : limits };
}
