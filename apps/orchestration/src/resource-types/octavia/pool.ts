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
    description: text('The description.', { updatable: true, default: '' }),
    session_persistence: mapOf(
      {
        type: text('The method by which a client is recognized.', {
          required: true,
          constraints: [oneOf('SOURCE_IP', 'HTTP_COOKIE', 'APP_COOKIE')],
        }),
        cookie_name: text('The cookie, of APP_COOKIE.'),
      },
      'Session persistence.',
      UPDATABLE,
    ),
    name: text('The name of the pool.', UPDATABLE),
    lb_algorithm: text('The algorithm that chooses the member.', {
      required: true,
      updatable: true,
      constraints: [oneOf('ROUND_ROBIN', 'LEAST_CONNECTIONS', 'SOURCE_IP', 'SOURCE_IP_PORT')],
    }),
    listener: named('octavia.listener', 'The listener whose traffic it gets.'),
    loadbalancer: named('octavia.loadbalancer', 'The load balancer that it is of.'),
    protocol: text('The protocol of its members.', {
      required: true,
      constraints: [oneOf('TCP', 'HTTP', 'HTTPS', 'PROXY', 'UDP', 'SCTP')],
    }),
    tls_enabled: flag('Whether connections to members use TLS.', {
      default: false,
      updatable: true,
      since: '14.0.0',
    }),
  },
  attributes: {
    healthmonitor_id: attribute('string', 'The health monitor of the members.'),
    listeners: attribute('string', 'The listeners whose traffic it gets.'),
    members: { ...attribute('list', 'The members.'), isLive: true },
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
  deletesAsynchronously: true,
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
    address: text('The address.', { required: true, constraints: [custom('ip_addr')] }),
    protocol_port: integer('The port.', { required: true, constraints: [PORT] }),
    monitor_address: text('The address that health checks use.', {
      constraints: [custom('ip_addr')],
    }),
    monitor_port: integer('The port that health checks use.', { constraints: [PORT] }),
    weight: integer('The weight.', {
      default: 1,
      updatable: true,
      constraints: [range(0, 256)],
    }),
    admin_state_up: flag('Whether it receives traffic.', { default: true, updatable: true }),
    subnet: named('neutron.subnet', 'The subnet that it is on.'),
    tags: list('The tags.', { ...UPDATABLE, since: '13.0.0' }),
  },
  attributes: {},
  fields: { pool: null, subnet: 'subnet_id' },
  body: (properties) => ({ tags: textsIn(properties, 'tags') }),
  states: PROVISIONED,
  deletesAsynchronously: true,
  change: { method: 'PUT', cleared: { tags: [] } },
});

const SECONDS = { required: true, updatable: true, constraints: [range(0)] } as const;

export const healthMonitor = restResource({
  name: 'OS::Octavia::HealthMonitor',
  description: 'A health monitor for the members of a pool.',
  support: BALANCER,
  api: balancerApi('healthmonitors', 'healthmonitor'),
  properties: {
    admin_state_up: flag('Whether it runs checks.', { default: true, updatable: true }),
    delay: integer('Seconds between checks.', SECONDS),
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
    type: text('The type of the check.', {
      required: true,
      constraints: [oneOf('PING', 'TCP', 'HTTP', 'HTTPS', 'UDP-CONNECT')],
    }),
    url_path: text('The path that an HTTP check requests.', UPDATABLE),
    tenant_id: text('The project that owns it.'),
  },
  attributes: { pools: attribute('list', 'The pool that it watches.') },
  fields: { pool: 'pool_id', tenant_id: 'project_id' },
  states: PROVISIONED,
  deletesAsynchronously: true,
  change: { method: 'PUT' },
});
