import type { Properties } from '../../constraints/property-schema.js';
import { PropertyError } from '../../constraints/property.errors.js';
import {
  attribute,
  custom,
  flag,
  integer,
  list,
  mapOf,
  named,
  oneOf,
  range,
  text,
  UPDATABLE,
} from '../declare.js';
import { checkSome } from '../neutron/network-type.js';
import { isGiven, mapIn, textIn, textsIn, withoutNulls } from '../property-values.js';
import { restResource } from '../rest-resource.js';
import { part } from '../service-calls.js';
import { BALANCER, balancerApi, PROVISIONED } from './balancer-type.js';

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
  fields: { listener: 'listener_id', loadbalancer: 'loadbalancer_id' },
  body(properties) {
    const persistence = mapIn(properties, 'session_persistence');
    return { session_persistence: persistence && withoutNulls(persistence) };
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
  fields: { pool: null, subnet: 'subnet_id' },
  body: (properties) => ({ tags: textsIn(properties, 'tags') }),
  states: PROVISIONED,
  goesLater: true,
  change: { method: 'PUT', cleared: { tags: [] } },
});

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
  fields: { pool: 'pool_id', tenant_id: 'project_id' },
  states: PROVISIONED,
  goesLater: true,
  change: { method: 'PUT' },
});
