/**
 * Custom constraints that are answered by a service, by ID and by name.
 * Public source: Heat template guide, "Parameter Constraints", custom_constraint.
 */
import type { ServiceName } from '../sister-services.js';

export interface ServiceConstraint {
  readonly service: ServiceName;
  /** As in `The Flavor (m1.tiny) could not be found.` */
  readonly entity: string;
  readonly path: string;
  /** The key that wraps one in an answer, if any. */
  readonly wrapper?: string;
  /** The field that other resources refer to; `id` by default. */
  readonly reference?: string;
  readonly byId: 'any' | 'uuids' | 'never';
  readonly byName?: {
    readonly wrapper: string;
    /** Whether the list supports `?name=`. */
    readonly isFiltered: boolean;
    /** Only those of the stack's project count, because each project has one of this name. */
    readonly ofProject?: true;
    /** Whether `name{domain}` selects a domain. */
    readonly inDomains?: true;
  };
  /** An empty value is valid; by default it is not found. */
  readonly isEmptyGood?: true;
}

const NETWORK = { service: 'network', byId: 'uuids' } as const;
const BALANCER = { service: 'loadBalancer', byId: 'uuids' } as const;
const IDENTITY = { service: 'identity', byId: 'any' } as const;

const named = (wrapper: string): { wrapper: string; isFiltered: true } => ({
  wrapper,
  isFiltered: true,
});

/** For Neutron and Octavia. */
function collection(
  base: typeof NETWORK | typeof BALANCER,
  path: string,
  wrapper: string,
  list = `${wrapper}s`,
): ServiceConstraint {
  return { ...base, entity: wrapper, path: `/v2.0/${path}`, wrapper, byName: named(list) };
}

function identity(path: string, wrapper: string, inDomains: boolean): ServiceConstraint {
  const entity = `Keystone${wrapper.charAt(0).toUpperCase()}${wrapper.slice(1)}`;
  const byName = { ...named(path), ...(inDomains ? { inDomains: true as const } : {}) };
  return { ...IDENTITY, entity, path: `/v3/${path}`, wrapper, byName };
}

export const SERVICE_CONSTRAINTS: Readonly<Record<string, ServiceConstraint>> = {
  'barbican.container': {
    service: 'secrets',
    entity: 'Container',
    path: '/v1/containers',
    byId: 'uuids',
    reference: 'container_ref',
  },
  'barbican.secret': {
    service: 'secrets',
    entity: 'Secret',
    path: '/v1/secrets',
    byId: 'uuids',
    reference: 'secret_ref',
  },
  'glance.image': {
    service: 'images',
    entity: 'Image',
    path: '/v2/images',
    byId: 'uuids',
    byName: named('images'),
  },
  'keystone.domain': identity('domains', 'domain', false),
  'keystone.group': identity('groups', 'group', true),
  'keystone.project': identity('projects', 'project', true),
  'keystone.region': {
    ...IDENTITY,
    entity: 'KeystoneRegion',
    path: '/v3/regions',
    wrapper: 'region',
  },
  'keystone.role': identity('roles', 'role', true),
  'keystone.service': identity('services', 'service', false),
  'keystone.user': identity('users', 'user', true),
  'magnum.cluster_template': {
    // Magnum finds it by name and by ID itself.
    service: 'clusters',
    entity: 'ClusterTemplate',
    path: '/v1/clustertemplates',
    reference: 'uuid',
    byId: 'any',
  },
  'neutron.address_group': collection(NETWORK, 'address-groups', 'address_group'),
  'neutron.address_scope': collection(NETWORK, 'address-scopes', 'address_scope'),
  'neutron.network': collection(NETWORK, 'networks', 'network'),
  'neutron.port': collection(NETWORK, 'ports', 'port'),
  'neutron.qos_policy': collection(NETWORK, 'qos/policies', 'policy', 'policies'),
  'neutron.router': collection(NETWORK, 'routers', 'router'),
  'neutron.security_group': {
    ...collection(NETWORK, 'security-groups', 'security_group'),
    byName: { ...named('security_groups'), ofProject: true },
  },
  'neutron.segment': collection(NETWORK, 'segments', 'segment'),
  'neutron.subnet': collection(NETWORK, 'subnets', 'subnet'),
  'neutron.subnetpool': collection(NETWORK, 'subnetpools', 'subnetpool'),
  'nova.flavor': {
    service: 'compute',
    entity: 'Flavor',
    path: '/v2.1/flavors',
    wrapper: 'flavor',
    byId: 'any',
    byName: { wrapper: 'flavors', isFiltered: false },
  },
  'nova.host': {
    service: 'compute',
    entity: 'Host',
    path: '/v2.1/os-hypervisors',
    byId: 'never',
    reference: 'hypervisor_hostname',
    byName: { wrapper: 'hypervisors', isFiltered: false },
  },
  'nova.keypair': {
    service: 'compute',
    entity: 'Key',
    path: '/v2.1/os-keypairs',
    wrapper: 'keypair',
    reference: 'name',
    byId: 'any',
    isEmptyGood: true,
  },
  'nova.server': {
    service: 'compute',
    entity: 'Server',
    path: '/v2.1/servers',
    wrapper: 'server',
    byId: 'any',
  },
  'octavia.availabilityzone': {
    ...collection(BALANCER, 'lbaas/availabilityzones', 'availability_zone'),
    reference: 'name',
    byId: 'any',
  },
  'octavia.availabilityzoneprofile': collection(
    BALANCER,
    'lbaas/availabilityzoneprofiles',
    'availability_zone_profile',
  ),
  'octavia.flavor': collection(BALANCER, 'lbaas/flavors', 'flavor'),
  'octavia.flavorprofile': collection(BALANCER, 'lbaas/flavorprofiles', 'flavorprofile'),
  'octavia.l7policy': collection(BALANCER, 'lbaas/l7policies', 'l7policy', 'l7policies'),
  'octavia.listener': collection(BALANCER, 'lbaas/listeners', 'listener'),
  'octavia.loadbalancer': collection(BALANCER, 'lbaas/loadbalancers', 'loadbalancer'),
  'octavia.pool': collection(BALANCER, 'lbaas/pools', 'pool'),
};

/** Constraints of services that this cloud does not have, by the service's name. */
export const UNSUPPORTED_CONSTRAINTS: Readonly<Record<string, string>> = {
  'blazar.reservation': 'reservations',
  'cinder.backup': 'volumes',
  'cinder.qos_specs': 'volumes',
  'cinder.snapshot': 'volumes',
  'cinder.volume': 'volumes',
  'cinder.vtype': 'volumes',
  'designate.zone': 'zones of DNS',
  'manila.share_network': 'shared file systems',
  'manila.share_snapshot': 'shared file systems',
  'manila.share_type': 'shared file systems',
  'mistral.workflow': 'workflows',
  'neutron.flow_classifier': 'service function chains',
  'neutron.lbaas.listener': "load balancers of Neutron's",
  'neutron.lbaas.loadbalancer': "load balancers of Neutron's",
  'neutron.lbaas.pool': "load balancers of Neutron's",
  'neutron.lbaas.provider': "load balancers of Neutron's",
  'neutron.port_pair': 'service function chains',
  'neutron.port_pair_group': 'service function chains',
  'neutron.taas.tap_flow': 'taps of ports',
  'neutron.taas.tap_service': 'taps of ports',
  'trove.flavor': 'databases',
  'zaqar.queue': 'message queues',
};
