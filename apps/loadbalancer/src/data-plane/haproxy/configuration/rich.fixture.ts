/** Load balancers with every feature, for golden configurations. */
import {
  balancerSpec,
  listenerSpec,
  memberSpec,
  monitorSpec,
  poolSpec,
  ruleSpec,
} from '../../balancer.fixture.js';
import type {
  BalancerSpec,
  CompareType,
  ListenerTls,
  PolicyAction,
  PolicySpec,
  RuleSpec,
} from '../../balancer-spec.js';
import { INSERTED_HEADERS } from '../../../listeners/listener-rules.js';
import type { ProxyHost } from './render.js';

export const HOST: ProxyHost = {
  maxConnections: 1000,
  threads: 2,
  ping: '/proc/self/cwd/ping-check',
  peer: { name: 'a-name', address: '127.254.0.1', port: 10_240 },
};

const COMPARISONS: CompareType[] = ['REGEX', 'STARTS_WITH', 'ENDS_WITH', 'CONTAINS', 'EQUAL_TO'];

const policy = (id: string, action: PolicyAction, ...rules: Partial<RuleSpec>[]): PolicySpec => ({
  id,
  enabled: true,
  action,
  rules: rules.map((one, at) => ruleSpec({ id: `${id}-rule-${at}`, ...one })),
});

/** All protocols, algorithms and types of persistence, without TLS. */
const plain = balancerSpec({
  addresses: ['127.88.0.1', '::1'],
  listeners: [
    listenerSpec({
      id: 'http',
      port: 8000,
      connectionLimit: 50,
      defaultPoolId: 'turns',
      timeouts: { clientData: 1000, memberConnect: 2000, memberData: 3000, tcpInspect: 4000 },
      allowedCidrs: ['192.0.2.0/24', '2001:db8::/32'],
      insertHeaders: INSERTED_HEADERS.slice(0, 3),
    }),
    listenerSpec({ id: 'https', port: 8001, protocol: 'HTTPS', defaultPoolId: 'pass-through' }),
    listenerSpec({ id: 'tcp', port: 8002, protocol: 'TCP', defaultPoolId: 'source-and-port' }),
    listenerSpec({ id: 'metrics', port: 8003, protocol: 'PROMETHEUS', defaultPoolId: null }),
    listenerSpec({ id: 'proxied', port: 8004, protocol: 'TCP', defaultPoolId: 'proxy-v2' }),
    listenerSpec({ id: 'proxied-1', port: 8005, protocol: 'TCP', defaultPoolId: 'proxy' }),
    listenerSpec({ id: 'sticky', port: 8006, defaultPoolId: 'app-cookie' }),
    listenerSpec({ id: 'stickier', port: 8007, defaultPoolId: 'http-cookie' }),
    listenerSpec({ id: 'also-http', port: 8008, defaultPoolId: 'turns' }),
    listenerSpec({ id: 'off', port: 8009, enabled: false, defaultPoolId: 'turns' }),
    listenerSpec({ id: 'without-pool', port: 8010, defaultPoolId: null }),
    listenerSpec({ id: 'with-pool-off', port: 8011, defaultPoolId: 'pool-off' }),
  ],
  pools: [
    poolSpec({
      id: 'turns',
      monitor: monitorSpec({
        http: {
          method: 'HEAD',
          path: '/health?a=b#c',
          expectedCodes: '200-204',
          version: 1.1,
          domain: 'example.com',
        },
      }),
      members: [
        memberSpec({ id: 'light', weight: 0 }),
        memberSpec({ id: 'heavy', weight: 256, address: '2001:db8::10' }),
        memberSpec({ id: 'reserve', backup: true }),
        memberSpec({ id: 'out-of-use', enabled: false }),
        memberSpec({ id: 'elsewhere', monitorAddress: '2001:db8::11', monitorPort: 9 }),
      ],
    }),
    poolSpec({
      id: 'pass-through',
      protocol: 'HTTPS',
      algorithm: 'LEAST_CONNECTIONS',
      monitor: monitorSpec({ type: 'TLS-HELLO', http: null }),
    }),
    poolSpec({
      id: 'source-and-port',
      protocol: 'TCP',
      algorithm: 'SOURCE_IP_PORT',
      monitor: monitorSpec({ type: 'TCP', http: null }),
    }),
    poolSpec({
      id: 'proxy-v2',
      protocol: 'PROXYV2',
      algorithm: 'SOURCE_IP',
      persistence: { type: 'SOURCE_IP' },
      monitor: monitorSpec({ type: 'PING', http: null }),
    }),
    poolSpec({ id: 'proxy', protocol: 'PROXY', monitor: monitorSpec({ enabled: false }) }),
    poolSpec({ id: 'app-cookie', persistence: { type: 'APP_COOKIE', cookie: 'JSESSIONID' } }),
    poolSpec({
      id: 'http-cookie',
      persistence: { type: 'HTTP_COOKIE' },
      monitor: monitorSpec({ type: 'HTTPS' }),
    }),
    poolSpec({ id: 'pool-off', enabled: false }),
    poolSpec({ id: 'unused' }),
  ],
});

/** Every action, and every type of rule with every comparison. */
const layer7 = balancerSpec({
  addresses: ['127.88.0.1'],
  listeners: [
    listenerSpec({
      port: 8000,
      policies: [
        policy('reject', { type: 'REJECT' }, { type: 'PATH', compare: 'EQUAL_TO', value: '/no' }),
        ...COMPARISONS.map((compare) =>
          policy(
            `pool-${compare.toLowerCase()}`,
            { type: 'REDIRECT_TO_POOL', poolId: 'pool-2' },
            { type: 'HOST_NAME', compare, value: 'example.com' },
            { type: 'PATH', compare, value: '/a', invert: true },
            { type: 'HEADER', compare, key: 'X-Tenant', value: 'b' },
            { type: 'COOKIE', compare, key: 'session', value: 'c' },
          ),
        ),
        policy(
          'files',
          { type: 'REDIRECT_TO_URL', url: 'https://example.com/files', code: 303 },
          { type: 'FILE_TYPE', compare: 'EQUAL_TO', value: '.jpg' },
          { type: 'FILE_TYPE', compare: 'REGEX', value: 'jpe?g', enabled: false },
        ),
        policy('prefix', { type: 'REDIRECT_PREFIX', url: 'https://example.com', code: 308 }, {}),
        policy('without-rules', { type: 'REJECT' }),
        { ...policy('off', { type: 'REJECT' }, {}), enabled: false },
        policy('to-nowhere', { type: 'REDIRECT_TO_POOL', poolId: 'pool-off' }, {}),
      ],
    }),
  ],
  pools: [poolSpec(), poolSpec({ id: 'pool-2' }), poolSpec({ id: 'pool-off', enabled: false })],
});

/** All features of TLS, on both sides, with a test's certificates. */
export function encrypted(pem: {
  readonly bundle: string;
  readonly ca: string;
  readonly revocations: string;
}): BalancerSpec {
  const ca = { name: 'ca.pem', pem: pem.ca };
  const revocations = { name: 'revoked.pem', pem: pem.revocations };
  const tls: ListenerTls = {
    ciphers: 'ECDHE-RSA-AES256-GCM-SHA384:TLS_AES_256_GCM_SHA384',
    versions: ['TLSv1.2', 'TLSv1.3'],
    alpn: ['h2', 'http/1.1'],
    bundles: [
      { name: 'first.pem', pem: pem.bundle },
      { name: 'second.pem', pem: pem.bundle },
    ],
    client: { authentication: 'MANDATORY', ca, revocations },
    hsts: { maxAgeSeconds: 100, includeSubdomains: true, preload: true },
  };
  const rules: Partial<RuleSpec>[] = [
    { type: 'SSL_CONN_HAS_CERT', compare: 'EQUAL_TO', value: 'True' },
    { type: 'SSL_VERIFY_RESULT', compare: 'EQUAL_TO', value: '0' },
    ...COMPARISONS.map(
      (compare) => ({ type: 'SSL_DN_FIELD', compare, key: 'CN', value: 'a' }) as const,
    ),
  ];
  return balancerSpec({
    addresses: ['127.88.0.1'],
    listeners: [
      listenerSpec({
        id: 'tls',
        protocol: 'TERMINATED_HTTPS',
        port: 8443,
        tls,
        insertHeaders: INSERTED_HEADERS,
        policies: [policy('by-certificate', { type: 'REJECT' }, ...rules)],
      }),
      listenerSpec({
        id: 'optional',
        protocol: 'TERMINATED_HTTPS',
        port: 8444,
        tls: {
          ciphers: null,
          versions: [],
          alpn: [],
          bundles: tls.bundles.slice(0, 1),
          client: { authentication: 'OPTIONAL', ca, revocations: null },
          hsts: null,
        },
      }),
      listenerSpec({ id: 'plain', port: 8000 }),
    ],
    pools: [
      poolSpec({
        tls: {
          ciphers: 'HIGH',
          versions: ['TLSv1.3'],
          alpn: ['http/1.1'],
          bundle: { name: 'ours.pem', pem: pem.bundle },
          ca,
          revocations,
        },
        monitor: monitorSpec({ type: 'HTTPS' }),
      }),
    ],
  });
}

/** By the name of the golden file. */
export const RICH = {
  plain,
  layer7,
  off: { ...plain, enabled: false },
  limited: { ...plain, limits: { connections: 50, threads: 4 } },
};
