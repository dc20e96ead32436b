/** Creations of the network service's types, beyond the tests of `restResource`. */
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../json/json.js';
import type { ResourceType } from '../resource-type.js';
import { testScope, type Answers } from '../resource-scope.fixture.js';
import { floatingIp, floatingIpPortForwarding } from './floating-ip.js';
import { net, providerNet } from './net.js';
import { port } from './port.js';
import {
  qosBandwidthLimitRule,
  qosDscpMarkingRule,
  qosMinimumBandwidthRule,
  qosMinimumPacketRateRule,
} from './qos.js';
import { networkQuota } from '../quotas.js';
import { rbacPolicy } from './rbac-policy.js';
import { router, routerInterface } from './router.js';
import { securityGroup, securityGroupRule } from './security-group.js';
import { subnet, subnetPool } from './subnet.js';
import { trunk } from './trunk.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';

const NAME = 'shop-web-k3jd8s2mxq5p';

/** @returns the body of the creation */
async function created(type: ResourceType, path: string, properties: Properties): Promise<unknown> {
  const key = Object.keys(properties)[0] ?? '';
  const answers: Answers = { [`POST ${path}`]: () => ({ [key]: {}, ...anyEntity }) };
  const scope = testScope(type, { properties, answers });
  await type.create(scope);
  return scope.requests.at(-1)?.json;
}

const ENTITIES = [
  'network',
  'subnet',
  'port',
  'router',
  'floatingip',
  'port_forwarding',
  'security_group_rule',
  'subnetpool',
  'rbac_policy',
  'bandwidth_limit_rule',
  'dscp_marking_rule',
  'minimum_bandwidth_rule',
  'minimum_packet_rate_rule',
  'trunk',
];
const anyEntity = Object.fromEntries(ENTITIES.map((name) => [name, { id: 'new' }]));

describe('creations', () => {
  it.each<[string, ResourceType, string, Properties, JsonObject]>([
    [
      'a network',
      net,
      'networks',
      { qos_policy: 'q', tags: ['a'], value_specs: { extra: 1 } },
      { network: { name: NAME, admin_state_up: true, qos_policy_id: 'q', tags: ['a'], extra: 1 } },
    ],
    [
      'a network on a physical one',
      providerNet,
      'networks',
      { network_type: 'vlan', physical_network: 'p', segmentation_id: '7', router_external: true },
      {
        network: {
          name: NAME,
          admin_state_up: true,
          shared: true,
          'router:external': true,
          'provider:network_type': 'vlan',
          'provider:physical_network': 'p',
          'provider:segmentation_id': 7,
        },
      },
    ],
    [
      'a mark of packets',
      qosDscpMarkingRule,
      'qos/policies/q/dscp_marking_rules',
      { policy: 'q', dscp_mark: 10, tenant_id: 't' },
      { dscp_marking_rule: { dscp_mark: 10 } },
    ],
    [
      'a promise of bandwidth',
      qosMinimumBandwidthRule,
      'qos/policies/q/minimum_bandwidth_rules',
      { policy: 'q', min_kbps: 5 },
      { minimum_bandwidth_rule: { min_kbps: 5, direction: 'egress' } },
    ],
    [
      'a promise of packets',
      qosMinimumPacketRateRule,
      'qos/policies/q/minimum_packet_rate_rules',
      { policy: 'q', min_kpps: 5, direction: 'any' },
      { minimum_packet_rate_rule: { min_kpps: 5, direction: 'any' } },
    ],
    [
      'a subnet without a gateway',
      subnet,
      'subnets',
      { network: 'n', cidr: '10.0.0.0/24', gateway_ip: '' },
      {
        subnet: {
          name: NAME,
          network_id: 'n',
          cidr: '10.0.0.0/24',
          ip_version: 4,
          enable_dhcp: true,
          dns_nameservers: [],
          gateway_ip: null,
        },
      },
    ],
    [
      'a port',
      port,
      'ports',
      {
        network: 'n',
        security_groups: [],
        allowed_address_pairs: [{ mac_address: null }],
        fixed_ips: [{ subnet: 's', ip_address: null }],
      },
      {
        port: {
          name: NAME,
          network_id: 'n',
          security_groups: [],
          fixed_ips: [{ subnet_id: 's' }],
          admin_state_up: true,
          device_id: '',
          device_owner: '',
          'binding:vnic_type': 'normal',
          allowed_address_pairs: [{}],
        },
      },
    ],
    [
      'a router with a way out',
      router,
      'routers',
      { external_gateway_info: { network: 'n', external_fixed_ips: [{ ip_address: '1.2.3.4' }] } },
      {
        router: {
          name: NAME,
          admin_state_up: true,
          external_gateway_info: {
            network_id: 'n',
            external_fixed_ips: [{ ip_address: '1.2.3.4' }],
          },
        },
      },
    ],
    [
      'a floating IP',
      floatingIp,
      'floatingips',
      { floating_network: 'n', floating_subnet: 's', port_id: 'p' },
      { floatingip: { floating_network_id: 'n', subnet_id: 's', port_id: 'p' } },
    ],
    [
      'a port forwarding',
      floatingIpPortForwarding,
      'floatingips/f/port_forwardings',
      {
        floating_ip: 'f',
        internal_port: 'p',
        internal_port_number: 80,
        protocol: 'tcp',
        external_port: 8080,
        internal_ip_address: '10.0.0.5',
      },
      {
        port_forwarding: {
          internal_port_id: 'p',
          internal_port: 80,
          protocol: 'tcp',
          external_port: 8080,
          internal_ip_address: '10.0.0.5',
        },
      },
    ],
    [
      'a rule of a security group',
      securityGroupRule,
      'security-group-rules',
      { security_group: 'g', remote_group: 'h', port_range_min: 22 },
      {
        security_group_rule: {
          security_group_id: 'g',
          remote_group_id: 'h',
          port_range_min: 22,
          direction: 'ingress',
          ethertype: 'IPv4',
          protocol: 'tcp',
        },
      },
    ],
    [
      'a subnet pool',
      subnetPool,
      'subnetpools',
      { prefixes: ['10.0.0.0/8'], address_scope: 'a', shared: true },
      {
        subnetpool: { name: NAME, prefixes: ['10.0.0.0/8'], address_scope_id: 'a', shared: true },
      },
    ],
    [
      'a rule of a QoS policy',
      qosBandwidthLimitRule,
      'qos/policies/q/bandwidth_limit_rules',
      { policy: 'q', max_kbps: 100, tenant_id: 't' },
      { bandwidth_limit_rule: { max_kbps: 100, max_burst_kbps: 0, direction: 'egress' } },
    ],
    [
      'a trunk',
      trunk,
      'trunks',
      { port: 'p', sub_ports: [{ port: 's', segmentation_type: 'vlan', segmentation_id: 3 }] },
      {
        trunk: {
          name: NAME,
          port_id: 'p',
          sub_ports: [{ port_id: 's', segmentation_type: 'vlan', segmentation_id: 3 }],
        },
      },
    ],
  ])('%s', async (_, type, plural, properties, body) => {
    expect(await created(type, `/v2.0/${plural}`, properties)).toEqual(body);
  });

  it('resolve the object of a policy by name', async () => {
    const answers = {
      'GET /v2.0/networks': { networks: [{ id: 'n-1' }] },
      'POST /v2.0/rbac-policies': { rbac_policy: { id: 'r' } },
    };
    const properties = {
      object_type: 'network',
      object_id: 'net',
      target_tenant: '*',
      action: 'access_as_shared',
    };
    const scope = testScope(rbacPolicy, { properties, answers });
    await rbacPolicy.create(scope);
    expect(scope.requests[1]?.json).toEqual({ rbac_policy: { ...properties, object_id: 'n-1' } });
  });
});

describe('properties that a type refuses', () => {
  it.each<[ResourceType, Properties, string]>([
    [
      providerNet,
      { network_type: 'flat', segmentation_id: '7' },
      'segmentation_id not allowed for network types: local, flat',
    ],
    [
      providerNet,
      { network_type: 'geneve', physical_network: 'p' },
      'physical_network not allowed for network types',
    ],
    [net, { value_specs: { shared: true } }, 'shared not allowed in value_specs'],
    [net, { dhcp_agent_ids: ['a'] }, 'Networks of this cloud are not served by agents.'],
    [subnet, { network: 'n' }, 'must be specified: subnetpool, cidr'],
    [subnet, { cidr: 'c', subnetpool: 'p' }, 'at the same time: subnetpool, cidr'],
    [subnet, { cidr: 'c', ip_version: 4, ipv6_ra_mode: 'slaac' }, 'not supported for ipv4'],
    [subnet, { cidr: 'c', gateway_ip: 'x' }, 'Gateway IP address "x" is in invalid format.'],
    [port, { fixed_ips: [{ subnet: 's' }], no_fixed_ips: true }, 'fixed_ips, no_fixed_ips'],
    [router, { l3_agent_ids: ['a'] }, 'Routers of this cloud are not served by agents.'],
    [router, { ha: true, distributed: true }, 'at the same time: distributed, ha'],
    [routerInterface, { router: 'r' }, 'must be specified: subnet, port'],
    [routerInterface, { router: 'r', subnet: 's', port: 'p' }, 'at the same time: subnet, port'],
    [floatingIp, { fixed_ip_address: '10.0.0.1' }, 'without port_id'],
    [securityGroup, { name: 'default' }, 'cannot be assigned the name "default"'],
    [securityGroupRule, { protocol: 'tcp', port_range_min: 2, port_range_max: 1 }, 'minimum port'],
    [rbacPolicy, { object_type: 'subnetpool', action: 'access_as_external' }, 'Valid actions'],
    [subnetPool, { min_prefixlen: 9, max_prefixlen: 8 }, 'Prefix lengths must not fall'],
    [networkQuota, { project: 'p' }, 'must be specified: floatingip, network'],
  ])('%#', (type, properties, message) => {
    expect(() => type.validate?.(properties)).toThrow(PropertyError);
    expect(() => type.validate?.(properties)).toThrow(message);
  });
});
