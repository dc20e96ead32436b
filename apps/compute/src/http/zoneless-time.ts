/** `2026-01-31T12:00:00.000000`: UTC without saying so, as Nova writes the times of usage and actions. */
export function zonelessTime(date: Date): string {
  return `${date.toISOString().slice(0, 23)}000`;
}

/** The same of a time that a client gave with up to six digits after the point, of which a Date keeps three. */
export function givenTime(date: Date, text: string): string {
  const digits = /\.(\d{1,6})$/.exec(text)?.[1] ?? '';
  return `${date.toISOString().slice(0, 20)}${digits.padEnd(6, '0')}`;
}
