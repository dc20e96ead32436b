/** Filters of ports that are no column. Public source: Networking API reference, "List ports". */
import { isUuid } from '@cumulet/common/context/ids';
import type { Condition } from '@cumulet/common/tables/condition';
import { Refusal, shortened } from '@cumulet/common/resources/value-type';
import { formatIp, parseIp } from '@cumulet/common/addresses/ip-address';
import { FLOATING_IP_OWNER } from './device-owner.js';

/** `status=ACTIVE`: as `statusOf` says it of a row. */
export function statusFilter(values: readonly string[]): Condition {
  return (bind, column) => `CASE
      WHEN ${column('deviceOwner')} = ${bind(FLOATING_IP_OWNER)} THEN 'N/A'
      WHEN ${column('state')} IN ('active', 'updating') THEN 'ACTIVE'
      WHEN ${column('state')} = 'building' AND ${column('hostId')} <> '' THEN 'BUILD'
      WHEN ${column('state')} = 'error' THEN 'ERROR'
      ELSE 'DOWN' END = ANY(${bind(values)})`;
}

/**
 * `fixed_ips=ip_address=10.0.0.3`, or `subnet_id=…`, or several with commas between: one of each
 * kind that is given.
 */
export function fixedIpsFilter(values: readonly string[]): Condition {
  const parts = values.flatMap((value) => value.split(','));
  const asked = parts.map((value) => {
    const [name = '', ...rest] = value.split('=');
    return { name, value: rest.join('=') };
  });
  const odd = asked.find(({ name }) => !Object.hasOwn(CONDITIONS, name));
  if (odd)
    throw new Refusal(
      `'${shortened(odd.name)}' is not one of ${Object.keys(CONDITIONS).join(', ')}`,
    );
  return (bind, column) => {
    const kinds = Object.entries(CONDITIONS).flatMap(([kind, { sql, read }]) => {
      const given = asked.filter(({ name }) => name === kind);
      if (given.length === 0) return [];
      const known = given.map((one) => read(one.value)).filter((one) => one !== undefined);
      return [`${column('id')} IN (SELECT port_id FROM ip_allocations WHERE ${sql(bind(known))})`];
    });
    return kinds.length > 0 ? kinds.join(' AND ') : 'true';
  };
}

/** `security_groups=…`: in any of these. */
export function securityGroupsFilter(values: readonly string[]): Condition {
  return (bind, column) => `${column('id')} IN (
    SELECT port_id FROM port_security_groups
     WHERE security_group_id = ANY(${bind(values.filter(isUuid))}::uuid[]))`;
}

interface FixedIpCondition {
  readonly sql: (values: string) => string;
  readonly read: (text: string) => string | undefined;
}

const CONDITIONS: Readonly<Record<string, FixedIpCondition>> = {
  ip_address: {
    sql: (values) => `address = ANY(${values}::inet[])`,
    read: (text) => {
      const ip = parseIp(text);
      return ip && formatIp(ip);
    },
  },
  ip_address_substr: {
    sql: (values) =>
      `EXISTS (SELECT FROM unnest(${values}::text[]) AS part WHERE strpos(host(address), part) > 0)`,
    read: (text) => text,
  },
  subnet_id: {
    sql: (values) => `subnet_id = ANY(${values}::uuid[])`,
    read: (text) => (isUuid(text) ? text : undefined),
  },
};
