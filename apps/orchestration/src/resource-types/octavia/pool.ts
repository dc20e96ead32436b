import { attribute, flag, mapOf, named, oneOf, text, UPDATABLE } from '../declare.js';
import { checkSome } from '../neutron/network-type.js';
import { given, isGiven, mapIn, textIn, withoutNulls } from '../property-values.js';
import { nameOf, restResource } from '../rest-resource.js';
import { BALANCER, balancerApi, PROVISIONED } from './balancer-type.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';

export const pool = restResource({
  name: 'OS::Octavia::Pool',
  description: 'Members that share the traffic of listeners.',
  support: BALANCER,
  api: balancerApi('pools', 'pool'),
  properties: {
    admin_state_up: flag('Whether its members get traffic.', { default: true, updatable: true }),
    description: text('What it is for.', { updatable: true, default: '' }),
    session_persistence: mapOf(
      {
        type: text('How a client is known again.', {
          required: true,
          constraints: [oneOf('SOURCE_IP', 'HTTP_COOKIE', 'APP_COOKIE')],
        }),
        cookie_name: text('The cookie, of APP_COOKIE.'),
      },
      'How a client is kept with one member.',
      UPDATABLE,
    ),
    name: text('The name of the pool.', UPDATABLE),
    lb_algorithm: text('Which member is next.', {
      required: true,
      updatable: true,
      constraints: [oneOf('ROUND_ROBIN', 'LEAST_CONNECTIONS', 'SOURCE_IP', 'SOURCE_IP_PORT')],
    }),
    listener: named('octavia.listener', 'The listener whose traffic it gets.'),
    loadbalancer: named('octavia.loadbalancer', 'The load balancer that it is of.'),
    protocol: text('What its members speak.', {
      required: true,
      constraints: [oneOf('TCP', 'HTTP', 'HTTPS', 'PROXY', 'UDP', 'SCTP')],
    }),
    tls_enabled: flag('Whether members are spoken to over TLS.', {
      default: false,
      updatable: true,
      since: '14.0.0',
    }),
  },
  attributes: {
    healthmonitor_id: attribute('string', 'What watches its members.'),
    listeners: attribute('string', 'The listeners whose traffic it gets.'),
    members: { ...attribute('list', 'Its members.'), isLive: true },
  },
  validate(properties) {
    checkSome(properties, 'listener', 'loadbalancer');
    checkPersistence(properties);
  },
  body(properties, scope) {
    const persistence = mapIn(properties, 'session_persistence');
    return {
      ...given(properties, 'admin_state_up', 'description', 'lb_algorithm', 'protocol'),
      ...given(properties, 'tls_enabled'),
      name: nameOf(properties, scope),
      listener_id: textIn(properties, 'listener'),
      loadbalancer_id: textIn(properties, 'loadbalancer'),
      session_persistence: persistence && withoutNulls(persistence),
    };
  },
  states: PROVISIONED,
  goesLater: true,
  change: { method: 'PUT', cleared: { description: '' } },
});

function checkPersistence(properties: Properties): void {
  const persistence = mapIn(properties, 'session_persistence');
  if (!persistence) return;
  const type = textIn(persistence, 'type');
  const hasCookie = isGiven(persistence, 'cookie_name');
  if (type === 'APP_COOKIE' && !hasCookie)
    throw new PropertyError(
      'session_persistence.cookie_name',
      'Property cookie_name is required when session_persistence type is set to APP_COOKIE.',
    );
  if (type === 'SOURCE_IP' && hasCookie)
    throw new PropertyError(
      'session_persistence.cookie_name',
      'Property cookie_name must NOT be specified when session_persistence type is set to SOURCE_IP.',
    );
}
