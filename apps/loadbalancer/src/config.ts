/** The settings of the load balancer service, read from the environment once. */
import { hostname } from 'node:os';
import {
  boolean,
  choice,
  folder,
  integer,
  optional,
  text,
  url,
  type Values,
} from '@cumulet/common/config/settings';
import { identitySettings, serviceSettings } from '@cumulet/common/service/service-settings';

export const loadBalancerSettings = {
  ...serviceSettings('LOADBALANCER', 9876),
  ...identitySettings(),
  networkUrl: url('CUMULET_NETWORK_URL', {
    about: "The network service's address, without /v2.0.",
  }),
  secretsUrl: optional(
    url('CUMULET_SECRETS_URL', {
      about: "The secrets service's address, without /v1; without it, TLS is not available.",
    }),
  ),
  host: text('CUMULET_HOST', {
    about: 'Name of this host; each host runs one worker of this name.',
    default: hostname(),
  }),
  zone: text('LOADBALANCER_ZONE', {
    about: 'The zone of this host, as the compute_zone of availability zones names it.',
    default: 'nova',
  }),
  amphoraNames: boolean('LOADBALANCER_AMPHORA_NAMES', {
    about:
      'Whether amphora and octavia, which clients of other clouds ask for, are aliases of the provider haproxy.',
    default: true,
  }),
  dataPlane: choice('LOADBALANCER_DATA_PLANE', ['auto', 'haproxy', 'simulated'], {
    about:
      'What runs load balancers: HAProxy if it is installed (auto), HAProxy always, or a simulation.',
    default: 'auto',
  }),
  dataDir: folder('LOADBALANCER_DATA_DIR', {
    about: 'The folder for the files of running load balancers; each host has its own.',
    default: '/var/lib/cumulet/loadbalancer',
    folder: 'loadbalancer',
  }),
  searchPath: text('PATH', {
    about: 'Folders that HAProxy is looked for in.',
    default: '/usr/bin',
  }),
  maxConnections: integer('LOADBALANCER_MAX_CONNECTIONS', {
    about:
      'The maximum number of concurrent connections of a load balancer, of all its listeners together.',
    default: 20_000,
    min: 1,
    max: 1_000_000,
  }),
  loopbackMembers: boolean('LOADBALANCER_LOOPBACK_MEMBERS', {
    about:
      'Whether members may have addresses of the host itself, where the services of the platform listen.',
    default: false,
  }),
  concurrency: integer('LOADBALANCER_CONCURRENCY', {
    about: 'The number of load balancers that a worker processes concurrently.',
    default: 8,
    min: 1,
    max: 100,
  }),
  loadBalancerQuota: quota('LOADBALANCER_QUOTA_LOAD_BALANCERS', 'Load balancers', 100),
  listenerQuota: quota('LOADBALANCER_QUOTA_LISTENERS', 'Listeners', 1_000),
  poolQuota: quota('LOADBALANCER_QUOTA_POOLS', 'Pools', 1_000),
  memberQuota: quota('LOADBALANCER_QUOTA_MEMBERS', 'Members', 10_000),
  healthMonitorQuota: quota('LOADBALANCER_QUOTA_HEALTH_MONITORS', 'Health monitors', 1_000),
  l7PolicyQuota: quota('LOADBALANCER_QUOTA_L7_POLICIES', 'L7 policies', 1_000),
  l7RuleQuota: quota('LOADBALANCER_QUOTA_L7_RULES', 'L7 rules', 10_000),
};

export type LoadBalancerConfig = Values<typeof loadBalancerSettings>;

function quota(env: string, what: string, standard: number): ReturnType<typeof integer> {
  return integer(env, {
    about: `${what} that a project may have; -1 means unlimited.`,
    default: standard,
    min: -1,
    max: 1_000_000_000,
  });
}
