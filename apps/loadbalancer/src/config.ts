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
      about: "The secrets service's address, without /v1; without one, there is no TLS.",
    }),
  ),
  host: text('CUMULET_HOST', {
    about: 'Name of this host; each host runs one worker of this name.',
    default: hostname(),
  }),
  zone: text('LOADBALANCER_ZONE', {
    about: 'Where this host is; availability zones name it as their compute_zone.',
    default: 'nova',
  }),
  amphoraNames: boolean('LOADBALANCER_AMPHORA_NAMES', {
    about:
      'Whether provider haproxy is also called amphora and octavia, which is what clients of other clouds ask for.',
    default: true,
  }),
  dataPlane: choice('LOADBALANCER_DATA_PLANE', ['auto', 'haproxy', 'simulated'], {
    about:
      'What runs load balancers: HAProxy where it is installed (auto), HAProxy or nothing, or a simulation.',
    default: 'auto',
  }),
  dataDir: folder('LOADBALANCER_DATA_DIR', {
    about: 'Folder of what runs load balancers; each host has its own.',
    default: '/var/lib/cumulet/loadbalancer',
    folder: 'loadbalancer',
  }),
  searchPath: text('PATH', {
    about: 'Folders that HAProxy is looked for in.',
    default: '/usr/bin',
  }),
  maxConnections: integer('LOADBALANCER_MAX_CONNECTIONS', {
    about: 'Connections at once that a load balancer takes, of all its listeners together.',
    default: 20_000,
    min: 1,
    max: 1_000_000,
  }),
  loopbackMembers: boolean('LOADBALANCER_LOOPBACK_MEMBERS', {
    about:
      'Whether members may be at addresses of the host itself, where the ports of the platform are.',
    default: false,
  }),
  concurrency: integer('LOADBALANCER_CONCURRENCY', {
    about: 'Load balancers that a worker works on at the same time.',
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
    about: `${what} that a project may have; -1 is without limit.`,
    default: standard,
    min: -1,
    max: 1_000_000_000,
  });
}
