import { PropertyError } from '../../constraints/property.errors.js';
import {
  attribute,
  custom,
  flag,
  integer,
  list,
  listOf,
  named,
  oneOf,
  range,
  text,
  UPDATABLE,
} from '../declare.js';
import { isGiven } from '../property-values.js';
import { restResource } from '../rest-resource.js';
import { BALANCER, balancerApi, PROVISIONED } from './balancer-type.js';

export const loadBalancer = restResource({
  name: 'OS::Octavia::LoadBalancer',
  description: 'A load balancer.',
  support: BALANCER,
  api: balancerApi('loadbalancers', 'loadbalancer'),
  properties: {
    description: text('The description.', { updatable: true, default: '' }),
    name: text('The name of the load balancer.', UPDATABLE),
    provider: text('The provider.'),
    vip_address: text('The address.', { constraints: [custom('ip_addr')] }),
    vip_subnet: named('neutron.subnet', 'The subnet of its address.', { required: true }),
    admin_state_up: flag('Whether it takes traffic.', { default: true, updatable: true }),
    tenant_id: named(
      'keystone.project',
      'The project that owns it; only administrators may name another.',
    ),
    flavor: named('octavia.flavor', 'The flavor.', { since: '14.0.0' }),
    availability_zone: text('The availability zone.', {
      since: '17.0.0',
      constraints: [custom('octavia.availabilityzone')],
    }),
  },
  attributes: {
    vip_address: attribute('string', 'The address.'),
    vip_port_id: attribute('string', 'The port that has its address.'),
    vip_subnet_id: attribute('string', 'The subnet of its address.'),
    pools: attribute('list', 'The pools.'),
    flavor_id: attribute('string', 'The flavor.'),
  },
  fields: { vip_subnet: 'vip_subnet_id', flavor: 'flavor_id', tenant_id: 'project_id' },
  states: PROVISIONED,
  deletesAsynchronously: true,
  change: { method: 'PUT', cleared: { description: '' } },
});

export const listener = restResource({
  name: 'OS::Octavia::Listener',
  description: 'A port of a load balancer.',
  support: BALANCER,
  api: balancerApi('listeners', 'listener'),
  properties: {
    protocol_port: integer('The port on which it listens.', {
      required: true,
      constraints: [range(1, 65_535)],
    }),
    protocol: text('The protocol of its clients.', {
      required: true,
      constraints: [oneOf('TCP', 'HTTP', 'HTTPS', 'TERMINATED_HTTPS', 'PROXY', 'UDP', 'SCTP')],
    }),
    loadbalancer: named('octavia.loadbalancer', 'The load balancer that it is of.', {
      required: true,
    }),
    default_pool: named('octavia.pool', 'The default pool.', UPDATABLE),
    name: text('The name of the listener.', UPDATABLE),
    admin_state_up: flag('Whether it takes traffic.', { updatable: true, default: true }),
    description: text('The description.', { updatable: true, default: '' }),
    default_tls_container_ref: text('The secret that holds its certificate.', UPDATABLE),
    sni_container_refs: list('Secrets that hold certificates of further names.', UPDATABLE),
    connection_limit: integer('How many connections it takes at once; -1 is without limit.', {
      updatable: true,
      default: -1,
      constraints: [range(-1)],
    }),
    tenant_id: text('The project that owns it.'),
    allowed_cidrs: listOf(
      text('A CIDR.', { constraints: [custom('net_cidr')] }),
      'The addresses that it takes traffic from; by default all.',
      { updatable: true, since: '14.0.0' },
    ),
  },
  attributes: {
    loadbalancers: attribute('list', 'The load balancer that it is of.'),
    default_pool_id: attribute('string', 'The default pool.'),
  },
  validate(properties) {
    const isTls = properties['protocol'] === 'TERMINATED_HTTPS';
    if (isTls && !isGiven(properties, 'default_tls_container_ref'))
      throw new PropertyError(
        'default_tls_container_ref',
        'Property default_tls_container_ref required when protocol is TERMINATED_HTTPS.',
      );
  },
  fields: {
    loadbalancer: 'loadbalancer_id',
    default_pool: 'default_pool_id',
    tenant_id: 'project_id',
  },
  states: PROVISIONED,
  deletesAsynchronously: true,
  change: {
    method: 'PUT',
    cleared: { description: '', sni_container_refs: [], connection_limit: -1 },
  },
});
