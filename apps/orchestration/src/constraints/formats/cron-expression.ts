/**
 * `cron_expression`: minute, hour, day, month, day of the week, and as a sixth the second. Public
 * source: crontab(5).
 */

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const FIELDS: readonly Field[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  // Sunday is 0, and 7 as well.
  { name: 'day of the week', min: 0, max: 7, names: DAYS },
  { name: 'second', min: 0, max: 59 },
];

const NAMED = /^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)$/i;

/** @returns what is wrong */
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

/** @returns undefined for what is none of the field's */
function valueOf(text: string, { min, max, names = [] }: Field): number | undefined {
  const at = names.indexOf(text.toLowerCase());
  // A month is counted from 1, a day from 0: as the field is.
  const value = at >= 0 ? at + min : /^\d{1,2}$/.test(text) ? Number(text) : -1;
  return value >= min && value <= max ? value : undefined;
}
