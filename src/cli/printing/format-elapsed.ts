/** Returns how long something took, or has taken so far. */
export function formatElapsed({
  started_at,
  ended_at,
}: {
  started_at: string | null;
  ended_at: string | null;
}): string {
  if (started_at === null) return '-';
  const ms = (ended_at === null ? Date.now() : Date.parse(ended_at)) - Date.parse(started_at);
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}
