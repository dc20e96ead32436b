import type { Cluster } from '../clusters/cluster.entity.js';
import { isOn } from '../labels/known-labels.js';
import type { Node } from '../nodes/node.entity.js';
import { getAttr, getResource, type Resources } from './hot.js';
import { externalRoute } from './network-resources.js';
import { hasPublicApi, MASTER_API_PORT, resourceNameOf } from './stack-place.js';

/** The load balancer of the API, with the masters as its members. */
export function balancerResources(cluster: Cluster, masters: readonly Node[]): Resources {
  const { name, labels, blueprint } = cluster;
  const subnet = blueprint.subnetId ?? getResource('subnet');
  const provider = labels['octavia_provider'];
  const allowed = labels['master_lb_allowed_cidrs'];
  return {
    api_balancer: {
      type: 'OS::Octavia::LoadBalancer',
      properties: { name: `${name}-api`, vip_subnet: subnet, ...(provider ? { provider } : {}) },
      ...dependsOn(externalRoute(cluster)),
    },
    api_listener: {
      type: 'OS::Octavia::Listener',
      properties: {
        name: `${name}-api`,
        loadbalancer: getResource('api_balancer'),
        protocol: 'TCP',
        protocol_port: blueprint.apiPort,
        ...(allowed ? { allowed_cidrs: allowed.split(',').map((one) => one.trim()) } : {}),
      },
    },
    api_pool: {
      type: 'OS::Octavia::Pool',
      properties: {
        name: `${name}-api`,
        listener: getResource('api_listener'),
        protocol: 'TCP',
        lb_algorithm: labels['octavia_lb_algorithm'] ?? 'ROUND_ROBIN',
      },
    },
    ...(isOn(labels, 'octavia_lb_healthcheck', true) ? { api_monitor: MONITOR } : {}),
    ...(hasPublicApi(cluster) ? { api_floating_ip: floatingIp(cluster) } : {}),
    ...Object.fromEntries(
      masters.map((node) => [`${resourceNameOf(node)}_member`, memberOf(node, subnet)]),
    ),
  };
}

const MONITOR = {
  type: 'OS::Octavia::HealthMonitor',
  properties: {
    pool: getResource('api_pool'),
    type: 'TCP',
    delay: 5,
    timeout: 5,
    max_retries: 2,
  },
};

function floatingIp(cluster: Cluster): Resources[string] {
  return {
    type: 'OS::Neutron::FloatingIP',
    properties: {
      floating_network: cluster.blueprint.externalNetworkId,
      port_id: getAttr('api_balancer', 'vip_port_id'),
    },
    ...dependsOn(externalRoute(cluster)),
  };
}

function memberOf(node: Node, subnet: unknown): Resources[string] {
  return {
    type: 'OS::Octavia::PoolMember',
    properties: {
      pool: getResource('api_pool'),
      address: getAttr(`${resourceNameOf(node)}_port`, 'fixed_ips', 0, 'ip_address'),
      protocol_port: MASTER_API_PORT,
      subnet,
    },
  };
}

function dependsOn(names: readonly string[]): { readonly depends_on?: readonly string[] } {
  return names.length > 0 ? { depends_on: names } : {};
}
