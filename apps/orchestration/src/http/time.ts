/** Times as Heat writes them: UTC, in whole seconds. Public source: heat, `common/timeutils.py`. */

/** `2026-01-31T12:00:00Z` */
export function heatTime(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

export function heatTimeIfAny(date: Date | null): string | null {
  return date === null ? null : heatTime(date);
}
