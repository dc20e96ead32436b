/** Public source: Container Infrastructure Management API reference, "Clusters". */
import type { Id, ProjectId, UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { answerClass, Shown, viewIn } from '@cumulet/common/http/shown';
import { attribute, computed, givenOnly, shownOnly } from '@cumulet/common/resources/attribute';
import {
  answerOf,
  bodyOf,
  pick,
  sortKeysOf,
  type GivenColumns,
} from '@cumulet/common/resources/classes';
import {
  choice,
  id,
  json,
  moment,
  orNull,
  text,
  texts,
} from '@cumulet/common/resources/field-type';
import { SortedBy } from '@cumulet/common/tables/listing';
import type { ClusterTemplateId } from '../cluster-templates/cluster-template.resource.js';
import { count, flag } from '../http/fields.js';
import { Link, linksTo } from '../http/links.js';
import { NEXT, PageQuery } from '../http/paging.js';
import { magnumTime } from '../http/time.js';
import { differencesOf, labels, type Labels } from '../labels/labels.js';
import { clusterStates, type ClusterState, statusOf } from './cluster.states.js';
import { CONDITIONS, type Conditions } from './conditions.js';

export type ClusterId = Id<'Cluster'>;

export type NodeRole = 'master' | 'worker';

const HEALTH_STATUSES = ['HEALTHY', 'UNHEALTHY', 'UNKNOWN'] as const;
export type HealthStatus = (typeof HEALTH_STATUSES)[number];

/** More members slow etcd down. The number must be odd too. */
export const MAX_MASTERS = 7;
export const MAX_NODES = 1_000;

const STATUSES = Object.keys(clusterStates.states).map((state) => state.toUpperCase());
/** The minor version since which `cluster_id` replaces `stack_id`. */
const CLUSTER_ID = 13;

const ConditionView = answerClass('ConditionView', {
  status: Shown(String, 'The status.', { enum: ['pending', 'ready', 'failed'] }),
  reason: Shown(String, 'The reason for waiting or failing.'),
});

const ConditionsView = answerClass(
  'ConditionsView',
  Object.fromEntries(
    CONDITIONS.map((name) => [
      name,
      Shown(() => ConditionView, 'The condition.', { optional: true }),
    ]),
  ),
);

const countOf =
  (is: string) =>
  (table: string): string =>
    `SELECT coalesce(sum(node_count), 0)::int FROM node_groups
    WHERE cluster_id = ${table}.id AND NOT is_leaving AND role ${is} 'master'`;

/** Floating IPs if there are any. */
const addressesOf =
  (role: NodeRole) =>
  (table: string): string =>
    `SELECT coalesce(array_agg(coalesce(public_address, address) ORDER BY created_at, id), '{}')
     FROM nodes
    WHERE cluster_id = ${table}.id AND role = '${role}' AND fate <> 'leaving' AND address IS NOT NULL`;

interface Labelled {
  readonly labels: Labels;
  readonly templateLabels: Labels;
}

export const CLUSTER = {
  id: shownOnly(id<ClusterId>(), {
    about: 'The ID.',
    wire: 'uuid',
    column: { primary: true, primaryKeyConstraintName: 'clusters_pkey' },
  }),
  name: attribute(
    text({
      max: 242,
      pattern: /^[a-zA-Z][a-zA-Z0-9_.-]*$/,
      patternText:
        'must begin with a letter and continue with letters, digits, dots, dashes and underscores',
    }),
    { about: 'The name; by default, a generated one.' },
  ),
  clusterTemplateId: attribute(
    { ...text<ClusterTemplateId>(), column: { type: 'uuid' } },
    { about: 'The cluster template, by ID or name.', required: true },
  ),
  keypair: attribute(orNull(text()), {
    about: "The user's key pair; by default, the template's.",
  }),
  dockerVolumeSize: attribute(orNull(count({ min: 1 })), {
    about: 'The size in GiB of the storage for containers on each node.',
  }),
  labels: attribute(labels, {
    about: "Labels, which say how nodes are set up; by default, the template's.",
    default: {},
  }),
  mergeLabels: givenOnly(flag, {
    about: "Whether the labels are added to the template's.",
    default: false,
  }),
  nodeCount: attribute(count({ min: 0, max: MAX_NODES }), {
    about: 'The number of workers.',
    default: 1,
    sort: false,
    virtual: countOf('<>'),
  }),
  masterCount: attribute(count({ min: 1, max: MAX_MASTERS }), {
    about: 'The number of masters, an odd one.',
    default: 1,
    sort: false,
    virtual: countOf('='),
  }),
  masterFlavorId: attribute(text(), { about: 'The flavor of masters, by ID or name.' }),
  flavorId: attribute(text(), { about: 'The flavor of workers, by ID or name.' }),
  createTimeout: attribute(count({ min: 0, max: 10_080 }), {
    about: 'The time-out in minutes; 0 stands for 60.',
    default: 60,
    column: { default: undefined },
  }),
  stackId: shownOnly(orNull(text()), {
    about: 'The stack; null until there is one.',
    versions: { until: CLUSTER_ID - 1, major: 1 },
  }),
  clusterId: computed(orNull(text()), {
    about: 'The stack; null until there is one.',
    versions: { since: CLUSTER_ID, major: 1 },
    from: ({ stackId }: { readonly stackId: string | null }) => stackId,
    sort: false,
  }),
  status: computed(choice(STATUSES), {
    about: 'The status.',
    property: 'state',
    from: ({ state }: { readonly state: ClusterState }) => statusOf(state),
  }),
  healthStatus: shownOnly(orNull(choice(HEALTH_STATUSES)), {
    about: 'The health, as Kubernetes reports it.',
  }),
  projectId: shownOnly(text<ProjectId>(), { about: 'The project that owns the cluster.' }),
  userId: shownOnly(text<UserId>(), { about: 'The user who created the cluster.' }),
  statusReason: computed(orNull(text()), {
    about: 'The reason for the status.',
    property: 'stateReason',
  }),
  healthStatusReason: shownOnly(json<Readonly<Record<string, string>>>(), {
    about: 'The health of each part of the cluster.',
    column: { default: () => `'{}'` },
    sort: false,
  }),
  conditions: shownOnly(
    json<Conditions>(() => ConditionsView),
    { about: 'The conditions of its parts.', column: { default: () => `'{}'` }, sort: false },
  ),
  apiAddress: shownOnly(orNull(text()), {
    about: 'The address of the Kubernetes API; null until there is one.',
  }),
  discoveryUrl: attribute(orNull(text({ min: 0, max: 1_024 })), {
    about: 'Stored and not used.',
  }),
  coeVersion: shownOnly(orNull(text()), {
    about: 'The version of Kubernetes; null until a node has reported it.',
  }),
  containerVersion: shownOnly(orNull(text()), { about: 'The version of the container runtime.' }),
  nodeAddresses: shownOnly(texts, {
    about: 'The addresses of workers.',
    sort: false,
    virtual: addressesOf('worker'),
  }),
  masterAddresses: shownOnly(texts, {
    about: 'The addresses of masters.',
    sort: false,
    virtual: addressesOf('master'),
  }),
  fixedNetwork: attribute(orNull(text()), { about: 'The network of the nodes, by ID or name.' }),
  fixedSubnet: attribute(orNull(text()), { about: 'The subnet of the nodes, by ID or name.' }),
  floatingIpEnabled: attribute(flag, {
    about: 'Whether nodes have floating IPs; by default, as the template says.',
  }),
  masterLbEnabled: attribute(flag, {
    about:
      'Whether a load balancer is in front of the Kubernetes API; by default, as the template says.',
  }),
  labelsOverridden: computed(labels, {
    about: "The template's values of labels that differ.",
    from: (row: Labelled) => differencesOf(row.labels, row.templateLabels).overridden,
    sort: false,
  }),
  labelsAdded: computed(labels, {
    about: 'Labels that the template does not have.',
    from: (row: Labelled) => differencesOf(row.labels, row.templateLabels).added,
    sort: false,
  }),
  labelsSkipped: computed(labels, {
    about: 'Labels that only the template has.',
    from: (row: Labelled) => differencesOf(row.labels, row.templateLabels).skipped,
    sort: false,
  }),
  createdAt: shownOnly(moment, {
    about: 'When it was created.',
    column: { default: () => 'now()' },
  }),
  updatedAt: shownOnly(orNull(moment), { about: 'When it was last changed.', sort: false }),
} as const;

export class ClusterDto extends bodyOf(CLUSTER, { nullIsNothing: true }) {}
export type NewCluster = GivenColumns<typeof CLUSTER>;

const links = Shown<{ readonly id: string }>([() => Link], 'Links to the cluster.', {
  from: (row, ctx) => linksTo(ctx, `clusters/${row.id}`),
});

/** Public source: "List all clusters". */
export class ClusterSummary extends answerOf(
  pick(CLUSTER, [
    'id',
    'name',
    'clusterTemplateId',
    'keypair',
    'dockerVolumeSize',
    'labels',
    'nodeCount',
    'masterCount',
    'masterFlavorId',
    'flavorId',
    'createTimeout',
    'stackId',
    'clusterId',
    'status',
    'healthStatus',
  ]),
  { links },
) {}

interface Faulty {
  readonly state: ClusterState;
  readonly faults: Readonly<Record<string, string>>;
}

/** Public source: "Show details of a cluster". */
export class ClusterView extends answerOf(CLUSTER, {
  links,
  faults: Shown<Faulty>(
    Object,
    'The reasons of failed node groups, by name, if the cluster has failed.',
    {
      optional: true,
      from: ({ state, faults }) => (state.endsWith('_failed') ? faults : undefined),
    },
  ),
}) {}

/** The answer to asynchronous operations. */
export const ClusterRef = answerClass('ClusterRef', {
  uuid: Shown(String, 'The ID of the cluster.'),
});

export const ClusterList = answerClass('ClusterList', {
  clusters: Shown([() => ClusterSummary], 'The clusters of the page.'),
  next: NEXT,
});

export const ClusterDetailList = answerClass('ClusterDetailList', {
  clusters: Shown([() => ClusterView], 'The clusters of the page.'),
  next: NEXT,
});

export function clusterView(ctx: RequestContext, shown = ClusterView): (row: object) => object {
  return viewIn(ctx, shown, magnumTime);
}

/** Magnum's `id` is a serial number, so it sorts by creation. */
@SortedBy(['createdAt'], {
  ...sortKeysOf(CLUSTER),
  id: 'createdAt',
  // An unchanged cluster sorts by its creation.
  updated_at: { sql: 'COALESCE(updated_at, created_at)' },
})
export class ListClustersQuery extends PageQuery {}
