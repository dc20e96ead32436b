/** Public source: Networking API reference, "Port forwarding". */
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { attribute, keptElsewhere, withheld } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import * as types from '@cumulet/common/resources/value-type';
import { ipAddress } from '../addresses/address-types.js';
import { FloatingIp } from '../floatingips/floatingip.entity.js';
import { Port } from '../ports/port.entity.js';
import { defineResource, neither, STANDARD } from '../resource/resource.js';
import { portRange } from './port-ranges.js';

/** Public source: neutron-lib, `IPTABLES_PROTOCOL_MAP`. */
const PROTOCOLS = ['dccp', 'icmp', 'ipv6-icmp', 'sctp', 'tcp', 'udp'] as const;

const { integer, oneOf, orNull, uuid } = types;
const port = orNull(integer(1, 65_535));

/** In upper or lower case. */
const protocol: types.ValueType<string> = {
  ...oneOf(PROTOCOLS),
  read: (value) => oneOf(PROTOCOLS).read(typeof value === 'string' ? value.toLowerCase() : value),
};

const rangeText = (first: number, last: number): string => `${first}:${last}`;
const single = (first: number, last: number): number | null => (first === last ? first : null);

export abstract class Ports {
  /** Port of the floating IP; `externalLast` ends the range. */
  @Column('integer', { name: 'external_first' })
  externalFirst: number;

  @Column('integer', { name: 'external_last' })
  externalLast: number;

  /** Port of the internal address; as many as external ones, or a single one. */
  @Column('integer', { name: 'internal_first' })
  internalFirst: number;

  @Column('integer', { name: 'internal_last' })
  internalLast: number;
}

export const portForwardingResource = defineResource({
  singular: 'port_forwarding',
  plural: 'port_forwardings',
  attributes: {
    name: withheld(STANDARD.name),
    tags: withheld(STANDARD.tags),
    protocol: attribute(protocol, { about: 'The protocol to forward.', required: true }),
    externalPort: keptElsewhere(
      attribute(port, {
        about: 'The port of the floating IP; null for a range.',
        from: ({ externalFirst, externalLast }: Ports) => single(externalFirst, externalLast),
        property: 'externalFirst',
      }),
    ),
    externalPortRange: keptElsewhere(
      attribute(orNull(portRange), {
        about: 'The ports of the floating IP, such as `80:90`.',
        from: ({ externalFirst, externalLast }: Ports) => rangeText(externalFirst, externalLast),
        ...neither,
      }),
    ),
    internalPortId: attribute(uuid, { about: 'The ID of the port to forward to.', required: true }),
    internalIpAddress: attribute(ipAddress, {
      about: 'The fixed IP address of that port; by default, its first IPv4 address.',
      column: { type: 'inet' },
    }),
    internalPort: keptElsewhere(
      attribute(port, {
        about: 'The port number of that address; null for a range.',
        from: ({ internalFirst, internalLast }: Ports) => single(internalFirst, internalLast),
        property: 'internalFirst',
      }),
    ),
    internalPortRange: keptElsewhere(
      attribute(orNull(portRange), {
        about: 'The port numbers of that address: as many as the external ones, or one.',
        from: ({ internalFirst, internalLast }: Ports) => rangeText(internalFirst, internalLast),
        ...neither,
      }),
    ),
  },
});

export type PortForwardingAttributes = typeof portForwardingResource.attributes;
export type NewPortForwarding = NewBody<PortForwardingAttributes>;
export type PortForwardingChange = ChangeBody<PortForwardingAttributes>;

@Entity('port_forwardings')
@Index('port_forwardings_floating_ip_idx', ['floatingIpId'])
@Index('port_forwardings_port_idx', ['internalPortId'])
@ForeignKey(() => FloatingIp, ['floatingIpId'], ['id'], {
  name: 'port_forwardings_floating_ip_fkey',
})
@ForeignKey(() => Port, ['internalPortId'], ['id'], { name: 'port_forwardings_port_fkey' })
export class PortForwarding extends rowOf(portForwardingResource.attributes, Ports) {
  @Column('uuid', { name: 'floatingip_id' })
  floatingIpId: string;
}
