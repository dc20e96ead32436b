/** Times as Heat's constraints take them. */

const DATE = /^(\d{4})(?:-?(\d{2})(?:-?(\d{2}))?)?/;
const TIME =
  /^[T ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?)?(?:(Z)|([+-])(\d{2}):?(\d{2})?)?$/;

/** @returns undefined for a text that is no time by ISO 8601; without a zone, it is UTC */
export function parseIsoTime(text: string): Date | undefined {
  const date = DATE.exec(text);
  const rest = date === null ? '' : text.slice(date[0].length);
  const time = TIME.exec(rest);
  if (date === null || (rest !== '' && time === null)) return undefined;
  const [year = 0, month = 1, day = 1] = numbers(date.slice(1));
  const [hour = 0, minute = 0, second = 0] = numbers(time?.slice(1, 4) ?? []);
  const [zoneHours = 0, zoneMinutes = 0] = numbers(time?.slice(7, 9) ?? []);
  const isReal =
    month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month) && hour < 24 && minute < 60;
  if (!isReal || second >= 60 || zoneMinutes >= 60) return undefined;
  const sign = time?.[6] === '-' ? -1 : 1;
  const shift = sign * (zoneHours * 60 + zoneMinutes);
  return new Date(Date.UTC(year, month - 1, day, hour, minute - shift, second));
}

/** `iso_8601` @returns what is wrong */
export function isoTimeFault(value: string): string | undefined {
  return parseIsoTime(value) ? undefined : 'it is not a time as ISO 8601 writes it';
}

/** `expiration`: a time that is still to come */
export function expirationFault(value: string, now = new Date()): string | undefined {
  if (value === '') return undefined;
  const time = parseIsoTime(value.trim());
  if (!time) return `Expiration ${value} is invalid: it is not a time as ISO 8601 writes it`;
  return time > now ? undefined : `Expiration ${value} is invalid: Expiration time is out of date.`;
}

/** `timezone`: `Europe/Berlin` */
export function timezoneFault(value: string): string | undefined {
  if (value === '') return undefined;
  try {
    // An offset is a time zone to this class, and no name of one.
    if (!/^[A-Za-z]/.test(value)) throw new RangeError(value);
    new Intl.DateTimeFormat('en', { timeZone: value });
    return undefined;
  } catch {
    return `Invalid timezone: No time zone found with key ${value}`;
  }
}

function numbers(texts: readonly (string | undefined)[]): (number | undefined)[] {
  return texts.map((text) => (text === undefined ? undefined : Number(text)));
}

function daysOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
