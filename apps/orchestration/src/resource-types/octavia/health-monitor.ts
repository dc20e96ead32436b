import { attribute, flag, integer, named, oneOf, range, text, UPDATABLE } from '../declare.js';
import { given, textIn } from '../property-values.js';
import { restResource } from '../rest-resource.js';
import { BALANCER, balancerApi, PROVISIONED } from './balancer-type.js';

const SECONDS = { required: true, updatable: true, constraints: [range(0)] } as const;

export const healthMonitor = restResource({
  name: 'OS::Octavia::HealthMonitor',
  description: 'What watches the members of a pool.',
  support: BALANCER,
  api: balancerApi('healthmonitors', 'healthmonitor'),
  properties: {
    admin_state_up: flag('Whether it watches.', { default: true, updatable: true }),
    delay: integer('Seconds from one check to the next.', SECONDS),
    expected_codes: text('Statuses of a good answer: 200, or 200,202, or 200-204.', UPDATABLE),
    http_method: text('The method of a check by HTTP.', {
      updatable: true,
      constraints: [
        oneOf('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'TRACE', 'OPTIONS', 'CONNECT', 'PATCH'),
      ],
    }),
    max_retries: integer('Checks that may fail before a member gets no more traffic.', {
      required: true,
      updatable: true,
      constraints: [range(1, 10)],
    }),
    pool: named('octavia.pool', 'The pool that it watches.', { required: true }),
    timeout: integer('Seconds that a check may take.', SECONDS),
    type: text('What a check is.', {
      required: true,
      constraints: [oneOf('PING', 'TCP', 'HTTP', 'HTTPS', 'UDP-CONNECT')],
    }),
    url_path: text('What a check by HTTP asks for.', UPDATABLE),
    tenant_id: text('The project whose it is to be.'),
  },
  attributes: { pools: attribute('list', 'The pool that it watches.') },
  body: (properties) => ({
    ...given(properties, 'admin_state_up', 'delay', 'expected_codes', 'http_method'),
    ...given(properties, 'max_retries', 'timeout', 'type', 'url_path'),
    pool_id: textIn(properties, 'pool'),
    project_id: textIn(properties, 'tenant_id'),
  }),
  states: PROVISIONED,
  goesLater: true,
  change: { method: 'PUT' },
});
