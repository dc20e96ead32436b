import { custom, flag, integer, list, named, range, text, UPDATABLE } from '../declare.js';
import { given, textIn, textsIn } from '../property-values.js';
import { restResource } from '../rest-resource.js';
import { part } from '../service-calls.js';
import { BALANCER, balancerApi, PROVISIONED } from './balancer-type.js';

const PORT = range(1, 65_535);

export const poolMember = restResource({
  name: 'OS::Octavia::PoolMember',
  description: 'A server that gets a share of the traffic.',
  support: BALANCER,
  api: balancerApi(
    (properties) => `pools/${part(textIn(properties, 'pool') ?? '')}/members`,
    'member',
  ),
  properties: {
    pool: named('octavia.pool', 'The pool that it is of.', { required: true }),
    address: text('Its address.', { required: true, constraints: [custom('ip_addr')] }),
    protocol_port: integer('Its port.', { required: true, constraints: [PORT] }),
    monitor_address: text('The address at which it is watched.', {
      constraints: [custom('ip_addr')],
    }),
    monitor_port: integer('The port at which it is watched.', { constraints: [PORT] }),
    weight: integer('Its share beside those of the others.', {
      default: 1,
      updatable: true,
      constraints: [range(0, 256)],
    }),
    admin_state_up: flag('Whether it gets traffic.', { default: true, updatable: true }),
    subnet: named('neutron.subnet', 'The subnet that it is on.'),
    tags: list('Its tags.', { ...UPDATABLE, since: '13.0.0' }),
  },
  attributes: {},
  body: (properties) => ({
    ...given(properties, 'address', 'protocol_port', 'monitor_address', 'monitor_port'),
    ...given(properties, 'weight', 'admin_state_up'),
    subnet_id: textIn(properties, 'subnet'),
    tags: textsIn(properties, 'tags'),
  }),
  states: PROVISIONED,
  goesLater: true,
  change: { method: 'PUT', cleared: { tags: [] } },
});
