/** A moment as Keystone writes it, with microseconds: `2026-01-31T12:00:00.000000Z`. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z');
}
