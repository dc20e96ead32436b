/**
 * Ports of port forwardings: a single port or a range. Public source: neutron-lib,
 * `validate_port_range_or_none`; neutron, `_validate_ranges` in
 * `services/portforwarding/pf_plugin.py`.
 */
import { BadRequestError } from '@cumulet/common/resources/resource.errors';
import { Refusal, shortened, valueType } from '@cumulet/common/resources/value-type';
import type { ValueType } from '@cumulet/common/resources/value-type';

/** The first and the last. */
export type PortRange = readonly [number, number];

/** `80:90`, or `80`. */
export const portRange: ValueType<string> = valueType(String, (value) => {
  const text = typeof value === 'number' ? String(value) : value;
  const [first = '', last = first, ...rest] = typeof text === 'string' ? text.split(':') : [];
  const ports = [first, last];
  if (rest.length > 0 || ports.some((one) => !/^\d{1,5}$/.test(one))) {
    throw new Refusal(
      `'${shortened(value)}': Port range must be two integers separated by a colon`,
    );
  }
  const odd = ports.find((one) => Number(one) < 1 || Number(one) > 65_535);
  if (odd !== undefined)
    throw new Refusal(`Invalid port: ${odd}, the port must be in the range [1, 65535]`);
  if (Number(first) > Number(last))
    throw new Refusal(
      `'${shortened(value)}': First port in a port range must be lower than the second port`,
    );
  return `${first}:${last}`;
});

/** @returns undefined if neither is given */
export function rangeFrom(
  port: number | null | undefined,
  range: string | null | undefined,
): PortRange | undefined {
  if (range != null) {
    const [first = 0, last = first] = range.split(':').map(Number);
    return [first, last];
  }
  return port == null ? undefined : [port, port];
}

/** @throws BadRequestError unless there are as many internal as external ports, or one */
export function refuseUneven(external: PortRange, internal: PortRange): void {
  const [outside, inside] = [external, internal].map(([first, last]) => last - first);
  if (inside === 0 || inside === outside) return;
  throw new BadRequestError(
    'port_forwarding',
    `Invalid ranges of internal and/or external ports: ${internal.join(':')} and ${external.join(':')}. The relation between internal and external ports must be N-N or 1-N`,
  );
}

/** @throws BadRequestError for overlapping ranges */
export function refuseCollision(
  key: string,
  wanted: PortRange,
  others: readonly PortRange[],
): void {
  const [first, last] = wanted;
  const other = others.find((one) => one[0] <= last && first <= one[1]);
  if (!other) return;
  throw new BadRequestError(
    'port_forwarding',
    `There is a port collision with the ${key}. The following ranges collide: ${other.join(':')} and ${wanted.join(':')}`,
  );
}
