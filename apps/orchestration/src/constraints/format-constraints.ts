/** Constraints without a service. Public source: Heat, "Parameter Constraints", custom_constraint. */
import { parseIp } from '@cumulet/common/addresses/ip-address';
import { parseExact } from '../json/exact-json.js';

/** @returns what is wrong with the value, or undefined */
export type FormatFault = (value: string) => string | undefined;

const NAMED = /^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)$/i;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const FIELDS: readonly Field[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  // Sunday is 0 and 7.
  { name: 'day of the week', min: 0, max: 7, names: DAYS },
  { name: 'second', min: 0, max: 59 },
];

const MACS = [
  /^[0-9a-f]{1,2}(?:[:-][0-9a-f]{1,2}){5}$/i,
  /^[0-9a-f]{1,4}(?:[:.-][0-9a-f]{1,4}){2}$/i,
  /^[0-9a-f]{5,6}[:-][0-9a-f]{5,6}$/i,
  /^[0-9a-f]{11,12}$/i,
];

const MAX_NAME = 255;

export const FORMAT_CONSTRAINTS: Readonly<Record<string, FormatFault>> = {
  cron_expression: cronFault,
  dns_domain: dnsDomainFault,
  dns_name: dnsNameFault,
  expiration: (value) => expirationFault(value),
  ip_addr: ipAddressFault,
  ip_or_cidr: ipOrCidrFault,
  iso_8601: isoTimeFault,
  json_string: jsonFault,
  mac_addr: macAddressFault,
  net_cidr: cidrFault,
  rel_dns_name: relativeDnsNameFault,
  // Used by OS::Heat::TestResource. Heat waits for as many seconds while it validates.
  test_constr: (value) =>
    /^\d+(?:\.\d+)?$/.test(value) ? undefined : 'it is not a time in seconds',
  timezone: timezoneFault,
};

function jsonFault(value: string): string | undefined {
  if (value === '') return undefined;
  try {
    parseExact(value);
    return undefined;
  } catch {
    return `JSON string ${value} is invalid`;
  }
}

/** `ip_addr` */
export function ipAddressFault(value: string): string | undefined {
  return parseIp(value) ? undefined : 'Invalid IP address';
}

/** `mac_addr`, in any of the usual notations */
export function macAddressFault(value: string): string | undefined {
  return MACS.some((one) => one.test(value)) ? undefined : 'Invalid MAC address.';
}

/** `net_cidr`: an address with a prefix length; host bits may be set */
export function cidrFault(value: string): string | undefined {
  const [address = '', bits = '', ...rest] = value.split('/');
  const ip = parseIp(address);
  const isLength = /^\d{1,3}$/.test(bits) && Number(bits) <= (ip?.version === 4 ? 32 : 128);
  return ip && isLength && rest.length === 0 ? undefined : `'${value}' is not a valid IP subnet`;
}

/** `ip_or_cidr` */
export function ipOrCidrFault(value: string): string | undefined {
  const fault = value.includes('/') ? cidrFault(value) : ipAddressFault(value);
  return fault === undefined ? undefined : `${value} is not a valid IP or CIDR`;
}

const MAX_LABEL = 63;

/** `dns_name`. Public source: RFC 1035, RFC 1123. */
export function dnsNameFault(value: string): string | undefined {
  const reason = value === '' ? undefined : formatFault(value);
  return reason === undefined ? undefined : `'${value}' not in valid format. Reason: ${reason}`;
}

/** `rel_dns_name`: relative to a domain that is appended */
export function relativeDnsNameFault(value: string): string | undefined {
  if (value.endsWith('.')) return `'${value}' is a FQDN. It should be a relative domain name.`;
  if (value.length > MAX_NAME - 3)
    return (
      `'${value}' contains '${value.length}' characters. Adding a domain name will cause it to ` +
      `exceed the maximum length of a FQDN of '${MAX_NAME}'.`
    );
  return dnsNameFault(value);
}

/** `dns_domain`: fully qualified */
export function dnsDomainFault(value: string): string | undefined {
  if (value === '') return undefined;
  return dnsNameFault(value) ?? (value.endsWith('.') ? undefined : `'${value}' must end with '.'.`);
}

function formatFault(value: string): string | undefined {
  const name = value.replace(/\.$/, '');
  if (name.length > MAX_NAME) return `'${name}' exceeds the ${MAX_NAME} character FQDN limit`;
  const labels = name.split('.');
  for (const label of labels) {
    if (label === '') return 'Encountered an empty component.';
    if (label.startsWith('-') || label.endsWith('-'))
      return `Name '${label}' must not start or end with a hyphen.`;
    if (label.length > MAX_LABEL || !/^[a-z0-9-]+$/.test(label))
      return `Name '${label}' must be 1-${MAX_LABEL} characters long, each of which can only be alphanumeric or a hyphen.`;
  }
  const top = labels.at(-1) ?? '';
  return value.endsWith('.') && labels.length > 1 && /^\d+$/.test(top)
    ? `TLD '${top}' must not be all numeric.`
    : undefined;
}

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

/** `cron_expression`, optionally with seconds as the sixth field. Public source: crontab(5). */
export function cronFault(value: string): string | undefined {
  const text = value.trim();
  if (value === '' || NAMED.test(text)) return undefined;
  const parts = text.split(/\s+/);
  if (parts.length !== 5 && parts.length !== 6)
    return 'Invalid CRON expression: Exactly 5 or 6 columns has to be specified.';
  const wrong = parts.findIndex((part, at) => !isField(part, FIELDS[at] as Field));
  return wrong < 0
    ? undefined
    : `Invalid CRON expression: [${text}] is not acceptable, ${FIELDS[wrong]?.name ?? ''} '${parts[wrong] ?? ''}'`;
}

function isField(part: string, field: Field): boolean {
  return part.split(',').every((one) => isRange(one, field));
}

function isRange(text: string, field: Field): boolean {
  const [range = '', step, ...rest] = text.split('/');
  if (rest.length > 0 || (step !== undefined && !/^0*[1-9]\d{0,2}$/.test(step))) return false;
  if (range === '*' || (range === '?' && field.name.startsWith('day'))) return true;
  if (field.name === 'day' && /^l$/i.test(range)) return true;
  const ends = range.split('-').map((end) => valueOf(end, field));
  const [first, last = first] = ends;
  return ends.length <= 2 && first !== undefined && last !== undefined && first <= last;
}

/** @returns undefined for a value that the field does not allow */
function valueOf(text: string, { min, max, names = [] }: Field): number | undefined {
  const at = names.indexOf(text.toLowerCase());
  // Months are counted from 1, days of the week from 0.
  const value = at >= 0 ? at + min : /^\d{1,2}$/.test(text) ? Number(text) : -1;
  return value >= min && value <= max ? value : undefined;
}

const DATE = /^(\d{4})(?:-?(\d{2})(?:-?(\d{2}))?)?/;
const TIME =
  /^[T ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?)?(?:(Z)|([+-])(\d{2}):?(\d{2})?)?$/;

/** @returns undefined for a text that is not an ISO 8601 time; a time without a zone is UTC */
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

/** `iso_8601` */
export function isoTimeFault(value: string): string | undefined {
  return parseIsoTime(value) ? undefined : 'it is not a time as ISO 8601 writes it';
}

/** `expiration`: a time in the future */
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
    // DateTimeFormat also accepts an offset, which is not the name of a zone.
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
