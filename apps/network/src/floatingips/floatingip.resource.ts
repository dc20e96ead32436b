/** Public source: Networking API reference, "Floating IPs". */
import { attribute, givenOnly, shownOnly, withheld } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import { json, orNull, text, uuid } from '@cumulet/common/resources/value-type';
import { ipAddress } from '../addresses/address-types.js';
import { dnsDomain, relativeName } from '../addresses/dns-names.js';
import { defineResource, neither, STANDARD } from '../resource/resource.js';

/**
 * ACTIVE once the router has been applied to the data plane after the association.
 * @param floatingIp the table or its alias
 */
const statusSql = (floatingIp: string): string => `
  COALESCE((SELECT CASE WHEN state = 'error' THEN 'ERROR'
                        WHEN applied_at >= ${floatingIp}.associated_at THEN 'ACTIVE' END
              FROM routers WHERE routers.id = ${floatingIp}.router_id), 'DOWN')`;

/** The associated port, in wire form. */
const portDetailsOf = (floatingIp: string): string => `
  SELECT jsonb_build_object(
           'name', name, 'network_id', network_id, 'mac_address', mac_address,
           'admin_state_up', admin_state_up, 'device_id', device_id,
           'device_owner', device_owner, 'status', CASE
              WHEN state IN ('active', 'updating') THEN 'ACTIVE'
              WHEN state = 'building' AND host_id <> '' THEN 'BUILD'
              WHEN state = 'error' THEN 'ERROR' ELSE 'DOWN' END)
    FROM ports WHERE ports.id = ${floatingIp}.fixed_port_id`;

/** Its port forwardings, in wire form. */
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
      about: 'The ID of the external network.',
      required: true,
      given: 'at-creation',
    }),
    floatingIpAddress: attribute(orNull(ipAddress), {
      about: 'The address; by default, any that is free.',
      column: { type: 'inet', nullable: false },
      given: 'at-creation',
      writers: 'manager',
    }),
    subnetId: givenOnly(orNull(uuid), {
      about: 'The ID of the subnet that the address is allocated from.',
    }),
    fixedPortId: attribute(orNull(uuid), {
      about: 'The ID of the port that it is associated with.',
      wire: 'port_id',
    }),
    fixedIpAddress: attribute(orNull(ipAddress), {
      about: 'The fixed IP address of the port; required if the port has several IPv4 addresses.',
      column: { type: 'inet' },
    }),
    routerId: shownOnly(orNull(uuid), {
      about: 'The ID of the router that the floating IP or its port forwardings use.',
    }),
    status: shownOnly(text(), {
      about:
        'The status: ACTIVE if it is associated, DOWN if not, ERROR if its router is in error.',
      virtual: (floatingIp) => `SELECT ${statusSql(floatingIp)}`,
      filter: (values) => (bind) => `${statusSql('floating_ips')} = ANY(${bind(values)})`,
      sort: false,
    }),
    qosPolicyId: attribute(orNull(uuid), {
      about: 'The ID of its QoS policy.',
      default: null,
    }),
    portDetails: shownOnly(orNull(json<object>()), {
      about: 'Details of the associated port.',
      virtual: portDetailsOf,
      ...neither,
    }),
    portForwardings: shownOnly(json<object[]>([Object]), {
      about: 'The port forwardings; empty if the floating IP is associated with a port.',
      virtual: portForwardingsOf,
      ...neither,
    }),
    dnsName: attribute(relativeName, {
      about: 'The DNS name.',
      default: '',
      given: 'at-creation',
    }),
    dnsDomain: attribute(dnsDomain, {
      about: 'The DNS domain.',
      default: '',
      given: 'at-creation',
    }),
  },
});

export type FloatingIpAttributes = typeof floatingIpResource.attributes;
export type NewFloatingIp = NewBody<FloatingIpAttributes>;
export type FloatingIpChange = ChangeBody<FloatingIpAttributes>;
