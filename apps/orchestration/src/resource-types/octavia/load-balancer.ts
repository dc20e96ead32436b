import { attribute, custom, flag, named, text, UPDATABLE } from '../declare.js';
import { given, textIn } from '../property-values.js';
import { nameOf, restResource } from '../rest-resource.js';
import { BALANCER, balancerApi, PROVISIONED } from './balancer-type.js';

export const loadBalancer = restResource({
  name: 'OS::Octavia::LoadBalancer',
  description: 'An address whose traffic goes to many members.',
  support: BALANCER,
  api: balancerApi('loadbalancers', 'loadbalancer'),
  properties: {
    description: text('What it is for.', { updatable: true, default: '' }),
    name: text('The name of the load balancer.', UPDATABLE),
    provider: text('What runs it.'),
    vip_address: text('Its address.', { constraints: [custom('ip_addr')] }),
    vip_subnet: named('neutron.subnet', 'The subnet of its address.', { required: true }),
    admin_state_up: flag('Whether it takes traffic.', { default: true, updatable: true }),
    tenant_id: named(
      'keystone.project',
      'The project whose it is to be; only administrators may choose another.',
    ),
    flavor: named('octavia.flavor', 'What it may have.', { since: '14.0.0' }),
    availability_zone: text('Where it runs.', {
      since: '17.0.0',
      constraints: [custom('octavia.availabilityzone')],
    }),
  },
  attributes: {
    vip_address: attribute('string', 'Its address.'),
    vip_port_id: attribute('string', 'The port that has its address.'),
    vip_subnet_id: attribute('string', 'The subnet of its address.'),
    pools: attribute('list', 'Its pools.'),
    flavor_id: attribute('string', 'What it may have.'),
  },
  body: (properties, scope) => ({
    ...given(properties, 'description', 'provider', 'vip_address', 'admin_state_up'),
    ...given(properties, 'availability_zone'),
    name: nameOf(properties, scope),
    vip_subnet_id: textIn(properties, 'vip_subnet'),
    flavor_id: textIn(properties, 'flavor'),
    project_id: textIn(properties, 'tenant_id'),
  }),
  states: PROVISIONED,
  goesLater: true,
  change: { method: 'PUT', cleared: { description: '' } },
});
