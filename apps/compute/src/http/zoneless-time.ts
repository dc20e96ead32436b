/** `2026-01-31T12:00:00.000000`: UTC without saying so, as Nova writes the times of usage and actions. */
export function zonelessTime(date: Date): string {
  return `${date.toISOString().slice(0, 23)}000`;
}
