/** Times as in Barbican: UTC, without a zone. */

/** `2026-01-31T12:00:00.000000` */
export function zonelessTime(date: Date): string {
  return `${date.toISOString().slice(0, 23)}000`;
}

const ISO_8601 =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** A time in ISO 8601, in UTC unless it names a zone; undefined for an invalid text. */
export function timeOf(text: string): Date | undefined {
  const [, day, clock = '00:00', zone = 'Z'] = ISO_8601.exec(text.trim()) ?? [];
  if (day === undefined) return undefined;
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : fullOffset(zone);
  const time = new Date(`${day}T${clock}${offset}`);
  return Number.isNaN(time.getTime()) || !isDay(day) ? undefined : time;
}

/** `+01`, `+0100` and `+01:00` are the same. */
function fullOffset(zone: string): string {
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/** `Date` takes 30 February for a day in March. */
function isDay(day: string): boolean {
  return new Date(`${day}T00:00Z`).toISOString().startsWith(day);
}
