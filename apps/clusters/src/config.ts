import { oldSecretKeys, secretKey } from '@cumulet/common/config/secret-key';
import {
  choice,
  drawnKey,
  integer,
  text,
  url,
  type Setting,
  type Values,
} from '@cumulet/common/config/settings';
import { identitySettings, serviceSettings } from '@cumulet/common/service/service-settings';

export const ENGINES = ['auto', 'stacks', 'simulated'] as const;

export const clustersSettings = {
  ...serviceSettings('CLUSTERS', 9511),
  ...identitySettings(),
  computeUrl: sister('CUMULET_COMPUTE_URL', "The compute service's address, without /v2.1."),
  imagesUrl: sister('CUMULET_IMAGES_URL', "The images service's address, without /v2."),
  networkUrl: sister('CUMULET_NETWORK_URL', "The network service's address, without /v2.0."),
  loadBalancerUrl: sister(
    'CUMULET_LOADBALANCER_URL',
    "The load balancer service's address, without /v2.",
  ),
  orchestrationUrl: sister(
    'CUMULET_ORCHESTRATION_URL',
    "The orchestration service's address, without /v1.",
  ),
  secretKey: drawnKey(
    secretKey('CLUSTERS_SECRET_KEY', {
      about:
        "Key that encrypts the keys of clusters' authorities at rest, and at first the one from which the tokens of nodes are derived: 32 random bytes, as 64 hexadecimal digits or in base64.",
    }),
  ),
  oldSecretKeys: oldSecretKeys('CLUSTERS'),
  guestUrl: url('CLUSTERS_GUEST_URL', {
    about: 'URL of this service for nodes.',
    default: 'http://169.254.169.254:8080/container-infra',
  }),
  guestIdentityUrl: url('CLUSTERS_GUEST_IDENTITY_URL', {
    about: 'URL of identity for nodes, without /v3.',
    default: 'http://169.254.169.254:8080/identity',
  }),
  region: text('CUMULET_REGION', {
    about: 'Name of the region, as the catalog has it, for what runs in clusters.',
    default: 'RegionOne',
  }),
  engine: choice('CLUSTERS_ENGINE', ENGINES, {
    about:
      'How clusters are created: as stacks of servers, as a simulation whose nodes are ready at once, or (auto) as stacks unless the hypervisors of the cloud are simulated.',
    default: 'auto',
  }),
  concurrency: integer('CLUSTERS_CONCURRENCY', {
    about: 'Clusters that a worker works on at a time.',
    default: 16,
    min: 1,
    max: 200,
  }),
  reportSeconds: integer('CLUSTERS_REPORT_SECONDS', {
    about: 'Seconds between two reports of a node that is ready.',
    default: 20,
    min: 1,
    max: 600,
  }),
  healthSeconds: integer('CLUSTERS_HEALTH_SECONDS', {
    about: 'Seconds between health checks of a cluster.',
    default: 30,
    min: 1,
    max: 3_600,
  }),
  drainSeconds: integer('CLUSTERS_DRAIN_SECONDS', {
    about:
      'Seconds for the pods of a removed or replaced worker to move to other nodes; 0 removes it at once.',
    default: 120,
    min: 0,
    max: 3_600,
  }),
  tokenMinutes: integer('CLUSTERS_TOKEN_MINUTES', {
    about: 'Minutes within which a new node must request its certificates.',
    default: 60,
    min: 1,
    max: 1_440,
  }),
  clusterQuota: integer('CLUSTERS_QUOTA_CLUSTERS', {
    about: 'Clusters that a project may have; -1 for no limit.',
    default: 20,
    min: -1,
    max: 1_000_000,
  }),
  nodeQuota: integer('CLUSTERS_QUOTA_NODES', {
    about: 'Nodes that the clusters of a project may have together; -1 for no limit.',
    default: 200,
    min: -1,
    max: 1_000_000,
  }),
};

export type ClustersConfig = Values<typeof clustersSettings>;

function sister(env: string, about: string): Setting<string> {
  return url(env, { about });
}
