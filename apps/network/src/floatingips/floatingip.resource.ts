/** What a floating IP is to its clients. Public source: Networking API reference, "Floating IPs". */
import { attribute, givenOnly, shownOnly, withheld } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import { json, orNull, text, uuid } from '@cumulet/common/resources/value-type';
import { ipAddress } from '../addresses/address-types.js';
import { dnsDomain, relativeName } from '../addresses/dns-names.js';
import { defineResource, neither, STANDARD } from '../resource/resource.js';

/**
 * ACTIVE once the data plane has had the router since the address leads somewhere.
 * @param floatingIp the table, or what stands for it
 */
const statusSql = (floatingIp: string): string => `
  COALESCE((SELECT CASE WHEN state = 'error' THEN 'ERROR'
                        WHEN applied_at >= ${floatingIp}.associated_at THEN 'ACTIVE' END
              FROM routers WHERE routers.id = ${floatingIp}.router_id), 'DOWN')`;

/** The port that it leads to, as clients see it. */
const portDetailsOf = (floatingIp: string): string => `
  SELECT jsonb_build_object(
           'name', name, 'network_id', network_id, 'mac_address', mac_address,
           'admin_state_up', admin_state_up, 'device_id', device_id,
           'device_owner', device_owner, 'status', CASE
              WHEN state IN ('active', 'updating') THEN 'ACTIVE'
              WHEN state = 'building' AND host_id <> '' THEN 'BUILD'
              WHEN state = 'error' THEN 'ERROR' ELSE 'DOWN' END)
    FROM ports WHERE ports.id = ${floatingIp}.fixed_port_id`;

/** Its port forwardings, as clients see them with it. */
const portForwardingsOf = (floatingIp: string): string => `
  SELECT COALESCE(jsonb_agg(jsonb_build_object(
           'id', one.id, 'protocol', protocol, 'internal_port_id', internal_port_id,
           'internal_ip_address', host(internal_ip_address),
           'external_port', CASE WHEN external_first = external_last THEN external_first END,
           'internal_port', CASE WHEN internal_first = internal_last THEN internal_first END)
           ORDER BY one.created_at, one.id), '[]')
    FROM port_forwardings AS one WHERE floatingip_id = ${floatingIp}.id`;

export const floatingIpResource = defineResource({
  singular: 'floatingip',
  plural: 'floatingips',
  attributes: {
    name: withheld(STANDARD.name),
    floatingNetworkId: attribute(uuid, {
      about: 'The external network.',
      required: true,
      given: 'at-creation',
    }),
    floatingIpAddress: attribute(orNull(ipAddress), {
      about: 'The address; by default, any that is free.',
      column: { type: 'inet', nullable: false },
      given: 'at-creation',
      writers: 'manager',
    }),
    subnetId: givenOnly(orNull(uuid), { about: 'The subnet that the address is taken from.' }),
    fixedPortId: attribute(orNull(uuid), {
      about: 'The port that it leads to.',
      wire: 'port_id',
    }),
    fixedIpAddress: attribute(orNull(ipAddress), {
      about: 'The address of that port; needed where it has several IPv4 addresses.',
      column: { type: 'inet' },
    }),
    routerId: shownOnly(orNull(uuid), {
      about: 'The router through which it, or one of its port forwardings, leads.',
    }),
    status: shownOnly(text(), {
      about:
        'The status: ACTIVE if it leads somewhere, DOWN if not, ERROR if its router is in error.',
      virtual: (floatingIp) => `SELECT ${statusSql(floatingIp)}`,
      filter: (values) => (bind) => `${statusSql('floating_ips')} = ANY(${bind(values)})`,
      sort: false,
    }),
    qosPolicyId: attribute(orNull(uuid), {
      about: 'The QoS policy of its traffic.',
      default: null,
    }),
    portDetails: shownOnly(orNull(json<object>()), {
      about: 'The port that it leads to.',
      virtual: portDetailsOf,
      ...neither,
    }),
    portForwardings: shownOnly(json<object[]>([Object]), {
      about: 'The port forwardings, if it leads to no port as a whole.',
      virtual: portForwardingsOf,
      ...neither,
    }),
    dnsName: attribute(relativeName, {
      about: 'The name in DNS.',
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
