/** Types of attributes that are DNS names. Public source: neutron-lib, `api/validators/dns.py`. */
import { Refusal, shortened, valueType } from '@cumulet/common/resources/value-type';
import type { ValueType } from '@cumulet/common/resources/value-type';

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_NAME = 255;

const folded = (given: string): string => given.toLowerCase();

/** A single label, or an empty string. */
export const hostName: ValueType<string> = valueType(
  String,
  (value) => {
    const name = typeof value === 'string' ? value.toLowerCase() : '-';
    if (name !== '' && !LABEL.test(name)) throw notValid(value);
    return name;
  },
  folded,
);

/** A partially qualified name of one or more labels, or an empty string. */
export const relativeName: ValueType<string> = valueType(
  String,
  (value) => {
    if (typeof value !== 'string') throw notValid(value);
    if (value !== '' && (value.length > MAX_NAME - 3 || !areLabels(value))) throw notValid(value);
    return value.toLowerCase();
  },
  folded,
);

/** A fully qualified domain with its trailing dot, or an empty string. */
export const dnsDomain: ValueType<string> = valueType(
  String,
  (value) => {
    if (typeof value !== 'string') throw new Refusal(`'${shortened(value)}' is not a valid string`);
    if (value === '') return value;
    if (!value.endsWith('.')) throw new Refusal(`'${shortened(value)}' is not a FQDN`);
    if (value.length > MAX_NAME - 2 || !areLabels(value.slice(0, -1))) throw notValid(value);
    return value.toLowerCase();
  },
  folded,
);

/** The last of several labels must not be numeric (RFC 1123, section 2.1). */
function areLabels(name: string): boolean {
  const labels = name.toLowerCase().split('.');
  const isNumber = labels.length > 1 && /^\d+$/.test(labels.at(-1) ?? '');
  return !isNumber && labels.every((one) => LABEL.test(one));
}

function notValid(value: unknown): Refusal {
  return new Refusal(`'${shortened(value)}' not a valid PQDN or FQDN`);
}
