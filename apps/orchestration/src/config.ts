/** The settings of the orchestration service, read from the environment once. */
import { oldSecretKeys, secretKey } from '@cumulet/common/config/secret-key';
import {
  drawnKey,
  integer,
  optional,
  text,
  url,
  type Setting,
  type Values,
} from '@cumulet/common/config/settings';
import { identitySettings, serviceSettings } from '@cumulet/common/service/service-settings';

const MIB = 1024 * 1024;

export const orchestrationSettings = {
  ...serviceSettings('ORCHESTRATION', 8004),
  ...identitySettings(),
  computeUrl: sister('CUMULET_COMPUTE_URL', "The compute service's address, without /v2.1."),
  networkUrl: sister('CUMULET_NETWORK_URL', "The network service's address, without /v2.0."),
  imagesUrl: sister('CUMULET_IMAGES_URL', "The images service's address, without /v2."),
  loadBalancerUrl: sister(
    'CUMULET_LOADBALANCER_URL',
    "The load balancer service's address, without /v2.",
  ),
  secretsUrl: sister('CUMULET_SECRETS_URL', "The secrets service's address, without /v1."),
  clustersUrl: sister('CUMULET_CLUSTERS_URL', "The clusters service's address, without /v1."),
  orchestrationUrl: sister(
    'CUMULET_ORCHESTRATION_URL',
    'The address of this service within the cloud, for stacks of other stacks; by default the public one.',
  ),
  s3Url: sister('CUMULET_S3_URL', "The S3 service's address, for buckets that stacks have."),
  secretKey: drawnKey(
    secretKey('ORCHESTRATION_SECRET_KEY', {
      about:
        'Key under which parameters, properties and attributes are encrypted at rest, and at first the one by which addresses for signals are signed: 32 random bytes, as 64 hexadecimal digits or in base64.',
    }),
  ),
  oldSecretKeys: oldSecretKeys('ORCHESTRATION'),
  guestUrl: url('ORCHESTRATION_GUEST_URL', {
    about: 'Address of this service as guests reach it, for their signals.',
    default: 'http://169.254.169.254:8080/orchestration',
  }),
  concurrency: integer('ORCHESTRATION_CONCURRENCY', {
    about: 'Stacks, and resources of stacks, that a worker works on at the same time.',
    default: 16,
    min: 1,
    max: 200,
  }),
  templateThreads: integer('ORCHESTRATION_TEMPLATE_THREADS', {
    about: 'Threads in which a process reads templates.',
    default: 2,
    min: 1,
    max: 64,
  }),
  templateSeconds: integer('ORCHESTRATION_TEMPLATE_SECONDS', {
    about: 'Seconds that reading one template may take.',
    default: 30,
    min: 1,
    max: 600,
  }),
  templateMegabytes: integer('ORCHESTRATION_TEMPLATE_MEGABYTES', {
    about: 'Megabytes of memory that a thread in which templates are read may take.',
    default: 256,
    min: 64,
    max: 4_096,
  }),
  stackTimeoutMinutes: integer('ORCHESTRATION_STACK_TIMEOUT_MINUTES', {
    about: 'Minutes that an action of a stack may take where the stack does not say.',
    default: 60,
    min: 1,
    max: 10_000,
  }),
  deleteRetrySeconds: integer('ORCHESTRATION_DELETE_RETRY_SECONDS', {
    about: 'Seconds for which the removal of a resource is tried again that its service refuses.',
    default: 180,
    min: 0,
    max: 86_400,
  }),
  errorWaitSeconds: integer('ORCHESTRATION_ERROR_WAIT_SECONDS', {
    about:
      'Seconds for which work on the resources of a stack that has failed goes on before it is ended.',
    default: 240,
    min: 0,
    max: 86_400,
  }),
  archiveDays: integer('ORCHESTRATION_ARCHIVE_DAYS', {
    about: 'Days for which deleted stacks, their events and reasons can still be read.',
    default: 30,
    min: 0,
    max: 10_000,
  }),
  hiddenTags: text('ORCHESTRATION_HIDDEN_TAGS', {
    about: 'Tags of stacks that lists leave out unless show_hidden is true, separated by commas.',
    default: 'data-processing-cluster',
  }),
  maxTemplateBytes: integer('ORCHESTRATION_MAX_TEMPLATE_BYTES', {
    about: 'Bytes that a template, or one of the files that it includes, may have.',
    default: 512 * 1024,
    min: 1_024,
    max: 16 * MIB,
  }),
  maxBodyBytes: integer('ORCHESTRATION_MAX_BODY_BYTES', {
    about: 'Bytes that a request may have with its template, environment and files.',
    default: 2 * MIB,
    min: 65_536,
    max: 64 * MIB,
  }),
  maxResources: quota('ORCHESTRATION_MAX_RESOURCES_PER_STACK', {
    about: 'Resources that a stack may have, with those of the stacks below it',
    standard: 1_000,
  }),
  maxNestedDepth: quota('ORCHESTRATION_MAX_NESTED_DEPTH', {
    about: 'Levels of stacks below a stack',
    standard: 5,
  }),
  maxSignals: integer('ORCHESTRATION_MAX_SIGNALS', {
    about: 'Signals that a wait condition handle keeps.',
    default: 1_000,
    min: 1,
    max: 1_000_000,
  }),
  maxSignalBytes: integer('ORCHESTRATION_MAX_SIGNAL_BYTES', {
    about: 'Bytes that the signals of a wait condition handle may have together, as JSON.',
    default: MIB,
    min: 1_024,
    max: 64 * MIB,
  }),
  maxStackSignalBytes: integer('ORCHESTRATION_MAX_STACK_SIGNAL_BYTES', {
    about:
      'Bytes that the signals of a stack may have together, with those of the stacks below it.',
    default: 16 * MIB,
    min: 1_024,
    max: 1_024 * MIB,
  }),
  maxSnapshots: quota('ORCHESTRATION_MAX_SNAPSHOTS_PER_STACK', {
    about: 'Snapshots that a stack may have',
    standard: 32,
  }),
  softwareConfigQuota: quota('ORCHESTRATION_QUOTA_SOFTWARE_CONFIGS', {
    about: 'Software configs that a project may have',
    standard: 4_096,
  }),
  softwareDeploymentQuota: quota('ORCHESTRATION_QUOTA_SOFTWARE_DEPLOYMENTS', {
    about: 'Software deployments that a project may have',
    standard: 4_096,
  }),
  stackQuota: quota('ORCHESTRATION_QUOTA_STACKS', {
    about: 'Stacks that a project may have, without those below others',
    standard: 512,
  }),
};

export type OrchestrationConfig = Values<typeof orchestrationSettings>;

/** The address of an optional sister service; without it, no template may use its resources. */
function sister(env: string, about: string): Setting<string | undefined> {
  return optional(url(env, { about }));
}

function quota(
  env: string,
  { about, standard }: { readonly about: string; readonly standard: number },
): Setting<number> {
  return integer(env, {
    about: `${about}; -1 is without limit.`,
    default: standard,
    min: -1,
    max: 1_000_000,
  });
}
