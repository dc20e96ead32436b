/** Errors of rules' attributes, named as in Neutron. */
import { DomainError, invalid } from '@cumulet/common/errors/domain-error';

export class SecurityGroupProtocolRequiredWithPortsError extends invalid(
  'Must also specify protocol if port range is given.',
) {}

export class SecurityGroupInvalidPortValueError extends invalid(
  (port: unknown) => `Invalid value for port ${String(port)}`,
) {}

export class SecurityGroupInvalidPortRangeError extends invalid(
  (min: number | null, max: number | null) =>
    `For TCP/UDP protocols, port_range_min must be <= port_range_max, and both be given: ${min ?? 'None'} and ${max ?? 'None'}`,
) {}

export class SecurityGroupInvalidProtocolForPortError extends invalid(
  (protocol: string) =>
    `Ports cannot be specified for protocol ${protocol}. Ports are only supported for DCCP, SCTP, TCP, UDP, UDPLITE.`,
) {}

export class SecurityGroupInvalidIcmpValueError extends DomainError {
  constructor(field: 'type' | 'code', value: number) {
    const attribute = field === 'type' ? 'port_range_min' : 'port_range_max';
    super(
      'invalid',
      `Invalid value for ICMP ${field} (${attribute}) ${value}. It must be 0 to 255.`,
    );
  }
}

export class SecurityGroupMissingIcmpTypeError extends invalid(
  (code: number) =>
    `ICMP code (port-range-max) ${code} is provided but ICMP type (port-range-min) is missing.`,
) {}

export class SecurityGroupEthertypeConflictWithProtocolError extends invalid(
  (ethertype: string, protocol: string) =>
    `Invalid ethertype ${ethertype} for protocol ${protocol}.`,
) {}

export class SecurityGroupRuleParameterConflictError extends invalid(
  (ethertype: string, cidr: string) => `Conflicting value ethertype ${ethertype} for CIDR ${cidr}`,
) {}

export class SecurityGroupMultipleRemoteEntitesError extends invalid(
  'Only one of remote_ip_prefix or remote_group_id or remote_address_group_id may be provided.',
) {}
