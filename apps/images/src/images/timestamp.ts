/** `2026-01-31T12:00:00Z`: the Image API knows no fractions of a second. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
