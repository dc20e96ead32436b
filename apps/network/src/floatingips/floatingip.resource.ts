/** What a floating IP is to its clients. Public source: Networking API reference, "Floating IPs". */
import { attribute, givenOnly, shownOnly } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import { orNull, text, uuid, valueType } from '@cumulet/common/resources/value-type';
import { ipAddress } from '../addresses/address-types.js';
import { dnsDomain, relativeName } from '../addresses/dns-names.js';
import { defineResource, neither } from '../resource/resource.js';
import { statusSql } from './floatingip.entity.js';

export const floatingIpResource = defineResource({
  singular: 'floatingip',
  plural: 'floatingips',
  attributes: {
    name: { ...shownOnly(text(), { about: 'It has none.', ...neither }), isHidden: true },
    floatingNetworkId: attribute(uuid, {
      about: 'The external network that it is on.',
      required: true,
      given: 'at-creation',
    }),
    floatingIpAddress: attribute(orNull(ipAddress), {
      about: 'The address; by default any that is free.',
      given: 'at-creation',
      writers: 'manager',
    }),
    subnetId: givenOnly(orNull(uuid), { about: 'The subnet that its address is taken from.' }),
    portId: attribute(orNull(uuid), {
      about: 'The port that it leads to.',
      property: 'fixedPortId',
    }),
    fixedIpAddress: attribute(orNull(ipAddress), {
      about: 'The address of that port; need not be given if it has one IPv4 address alone.',
    }),
    routerId: shownOnly(orNull(uuid), { about: 'The router through which it leads.' }),
    status: shownOnly(text(), {
      about: 'ACTIVE if it leads somewhere, DOWN if not, ERROR if its router is in error.',
      filter: (values) => (bind) => `${statusSql('floating_ips')} = ANY(${bind(values)})`,
      sort: false,
    }),
    qosPolicyId: attribute(orNull(uuid), {
      about: 'The QoS policy of its traffic.',
      default: null,
    }),
    portDetails: shownOnly(orNull(valueType<object>(Object, () => ({}))), {
      about: 'What the port that it leads to is like.',
      ...neither,
    }),
    portForwardings: shownOnly(
      valueType<object[]>([Object], () => []),
      { about: 'Where it leads by port, if it leads to no port as a whole.', ...neither },
    ),
    dnsName: attribute(relativeName, {
      about: 'The name that it is to have.',
      default: '',
      given: 'at-creation',
    }),
    dnsDomain: attribute(dnsDomain, {
      about: 'The domain of that name.',
      default: '',
      given: 'at-creation',
    }),
  },
});

export type FloatingIpAttributes = typeof floatingIpResource.attributes;
export type NewFloatingIp = NewBody<FloatingIpAttributes>;
export type FloatingIpChange = ChangeBody<FloatingIpAttributes>;
