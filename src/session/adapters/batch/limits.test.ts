import { expect, test } from 'vitest';
import { limitIn } from './limits.js';

const NOW = Date.UTC(2026, 10, 22, 12, 0, 0);
const local = (...[month, day, hour, minute]: [number, number, number, number]) =>
  new Date(2026, month, day, hour, minute).getTime();
/** The next occurrence of a time of day after NOW, on this machine. */
function next(hour: number, minute: number): number {
  const at = new Date(NOW).setHours(hour, minute, 0, 0);
  return at > NOW ? at : new Date(at).setDate(new Date(at).getDate() + 1);
}

test.each([
  ['Claude AI usage limit reached|1795353600', 1_795_353_600_000],
  ['{"status":"rejected","resetsAt":1795353600,"rateLimitType":"five_hour"} rate_limit_error', 1_795_353_600_000],
  ["You've hit your session limit · resets 3pm (Europe/Paris)", Date.UTC(2026, 10, 22, 14)],
  ["You've hit your weekly limit · resets Nov 25, 9:30am (UTC)", Date.UTC(2026, 10, 25, 9, 30)],
  ['5-hour limit reached ∙ resets 11am (UTC)', Date.UTC(2026, 10, 23, 11)],
  ['Session limit reached ∙ resets 9:30pm', next(21, 30)],
  ['You’ve hit your usage limit. Upgrade to Pro, or try again at 4:29 AM.', next(4, 29)],
  ["You've hit your usage limit. Please try again at Nov 29th, 2026 12:55 AM.", local(10, 29, 0, 55)],
  ['You’ve hit your usage limit. Try again in 3 hours 12 minutes.', NOW + 11_520_000],
  ["You've hit your usage limit. Upgrade or try again in 2 days 3 hours 5 minutes.", NOW + 183_900_000],
  ['{"error":{"type":"usage_limit_reached","plan_type":"plus","resets_in_seconds":5400}}', NOW + 5_400_000],
  ['Quota exceeded for metric: requests, limit: 250\nPlease retry in 34.074824224s.', NOW + 34_075],
  [`status: 'RESOURCE_EXHAUSTED', "retryDelay":"34s"`, NOW + 34_000],
  ['You have exhausted your capacity on this model. Your quota will reset after 3h12m5s.', NOW + 11_525_000],
  ['You have hit your ChatGPT usage limit (plus plan). Try again in ~34 min.', NOW + 2_040_000],
  ['Usage limit reached. It will reset in 1 hour 5 minutes. To continue using this model now', NOW + 3_900_000],
  ['429 Rate limit reached for gpt-5 on requests per day. Please try again in 7m12s.', NOW + 432_000],
  ['[API Error: You have exhausted your daily quota on this model.]\nPlease retry in 34.07s.', null],
  ["You've hit your session limit · resets 3pm (Atlantis/City)", null],
  ['429 Too Many Requests, try again in 9999 weeks', null],
])('finds when the limit ends: %j', (words, resetsAt) => {
  expect(limitIn(words, NOW)).toEqual({ resetsAt });
});

test.each([
  'API Error: 529 {"type":"overloaded_error","message":"Overloaded"}',
  'Reached maximum number of turns (1)',
  'Credit balance is too low',
  'stream disconnected before completion',
  'The model does not exist.',
  'input_tokens: 4291',
])('finds no limit in: %j', (words) => {
  expect(limitIn(words, NOW)).toBeNull();
});
