/**
 * From a rule as Nova's proxy takes it to one of the network service.
 * Public source: nova, `network/security_group_api.py`, `_new_ingress_rule`.
 */
import { isIP } from 'node:net';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { CreateSecurityGroupRuleDto } from './security-group.dto.js';

const MAX_PORT = 65_535;
const MAX_TYPE = 255;

/** @throws InvalidInputError naming what is wrong with it */
export function ruleOf(dto: CreateSecurityGroupRuleDto): object {
  const { parent_group_id, group_id = null } = dto;
  const cidr = group_id === null ? cidrOf(dto.cidr) : null;
  const protocol = dto.ip_protocol?.toLowerCase();
  const [from, to] = [portOf(dto.from_port), portOf(dto.to_port)];
  if (group_id === null && (protocol === undefined || from === undefined || to === undefined))
    throw new InvalidInputError('Not enough parameters to build a valid rule.');
  if (protocol !== undefined && from !== undefined && to !== undefined)
    checkRange(protocol, from, to);
  return {
    direction: 'ingress',
    ethertype: cidr?.includes(':') ? 'IPv6' : 'IPv4',
    security_group_id: parent_group_id,
    protocol: protocol ?? null,
    port_range_min: bound(from),
    port_range_max: bound(to),
    remote_group_id: group_id,
    remote_ip_prefix: cidr,
  };
}

/** -1 is any. */
function bound(port: number | undefined): number | null {
  return port === undefined || port === -1 ? null : port;
}

function portOf(value: number | string | null | undefined): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (!/^-?\d{1,9}$/.test(String(value)))
    throw new InvalidInputError(
      'Invalid input received: To and From ports, or Type and Code, must be integers',
    );
  return Number(value);
}

function cidrOf(cidr: string | null | undefined): string {
  if (!cidr) return '0.0.0.0/0';
  const [address = '', prefix, ...others] = cidr.split('/');
  const family = isIP(address);
  const max = family === 6 ? 128 : 32;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= max);
  if (family === 0 || !isPrefix || others.length > 0)
    throw new InvalidInputError(`${cidr} is not a valid IP network.`);
  if (prefix === '0' && !['0.0.0.0', '::'].includes(address))
    throw new InvalidInputError(`Bad prefix for network in cidr ${cidr}`);
  return cidr;
}

function checkRange(protocol: string, from: number, to: number): void {
  const invalid = (why: string): InvalidInputError =>
    new InvalidInputError(`Invalid port range ${from}:${to}. ${why}`);
  switch (protocol) {
    case 'icmp':
      if ([from, to].some((one) => one < -1 || one > MAX_TYPE))
        throw invalid('For ICMP, the type:code must be valid');
      return;
    case 'tcp':
    case 'udp':
      if (from > to) throw invalid('Former value cannot be greater than the later');
      if (from < 1 || to > MAX_PORT)
        throw invalid(`Valid ${protocol.toUpperCase()} ports should be between 1-${MAX_PORT}`);
      return;
    default:
      throw new InvalidInputError(`Invalid IP protocol ${protocol}`);
  }
}
