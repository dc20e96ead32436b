/** `2026-01-02T03:04:05+00:00`, as Magnum writes times. */
export function magnumTime(moment: Date): string {
  return moment.toISOString().replace(/\.\d{3}Z$/, '+00:00');
}
