/** What a port forwarding is to its clients. Public source: Networking API reference, "Port forwarding". */
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import * as types from '@cumulet/common/resources/value-type';
import { ipAddress } from '../addresses/address-types.js';
import { defineResource, neither } from '../resource/resource.js';
import type { PortForwarding } from './port-forwarding.entity.js';
import { portRange } from './port-ranges.js';

/** Public source: neutron-lib, `IPTABLES_PROTOCOL_MAP`. */
const PROTOCOLS = ['dccp', 'icmp', 'ipv6-icmp', 'sctp', 'tcp', 'udp'] as const;

const { integer, oneOf, orNull, text, uuid } = types;
const port = orNull(integer(1, 65_535));

/** A name in any case. */
const protocol = {
  ...oneOf(PROTOCOLS),
  read: (value: unknown) =>
    oneOf(PROTOCOLS).read(typeof value === 'string' ? value.toLowerCase() : value),
};

const rangeText = (first: number, last: number): string => `${first}:${last}`;
const single = (first: number, last: number): number | null => (first === last ? first : null);

export const portForwardingResource = defineResource({
  singular: 'port_forwarding',
  plural: 'port_forwardings',
  attributes: {
    name: { ...shownOnly(text(), { about: 'It has none.', ...neither }), isHidden: true },
    tags: {
      ...shownOnly(types.listOf(text()), { about: 'It has none.', ...neither }),
      isHidden: true,
    },
    protocol: attribute(protocol, { about: 'What is forwarded.', required: true }),
    externalPort: attribute(port, {
      about: 'The port of the floating IP; null for several.',
      from: ({ externalFirst, externalLast }: PortForwarding) =>
        single(externalFirst, externalLast),
      property: 'externalFirst',
    }),
    externalPortRange: attribute(orNull(portRange), {
      about: 'The ports of the floating IP: `80:90`.',
      from: ({ externalFirst, externalLast }: PortForwarding) =>
        rangeText(externalFirst, externalLast),
      ...neither,
    }),
    internalPortId: attribute(uuid, { about: 'The port that it leads to.', required: true }),
    internalIpAddress: attribute(ipAddress, {
      about: 'The address of that port; by default its first of IPv4.',
    }),
    internalPort: attribute(port, {
      about: 'The port of that address; null for several.',
      from: ({ internalFirst, internalLast }: PortForwarding) =>
        single(internalFirst, internalLast),
      property: 'internalFirst',
    }),
    internalPortRange: attribute(orNull(portRange), {
      about: 'The ports of that address: as many as the external ones, or one.',
      from: ({ internalFirst, internalLast }: PortForwarding) =>
        rangeText(internalFirst, internalLast),
      ...neither,
    }),
  },
});

export type PortForwardingAttributes = typeof portForwardingResource.attributes;
export type NewPortForwarding = NewBody<PortForwardingAttributes>;
export type PortForwardingChange = ChangeBody<PortForwardingAttributes>;
