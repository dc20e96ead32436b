import type { RequestContext } from '@cumulet/common/context/request-context';
import { answerClass, Shown, viewIn } from '@cumulet/common/http/shown';
import { Link, linksTo } from '../http/links.js';
import { magnumTime } from '../http/time.js';
import { differencesOf, type Labels } from '../labels/labels.js';
import type { Cluster } from './cluster.entity.js';
import { CONDITIONS } from './conditions.js';
import { statusOf } from './cluster-status.js';
import { clusterStates } from './cluster.states.js';

type Row = Cluster;

const STATUSES = Object.keys(clusterStates.states).map((state) => state.toUpperCase());
/** Since when `cluster_id` stands in the place of `stack_id`. */
const CLUSTER_ID = 13;

/** Public source: Container Infrastructure Management API reference, "List all clusters". */
export class ClusterSummary {
  @Shown<Row>(String, 'Its id.', { from: ({ id }) => id })
  uuid: string;

  @Shown(String, 'Its name.')
  name: string;

  @Shown(String, 'The template that it is made of.')
  cluster_template_id: string;

  @Shown(String, 'Key pair for access to the nodes.', { nullable: true })
  keypair: string | null;

  @Shown('integer', 'GiB that containers have on a node.', { nullable: true })
  docker_volume_size: number | null;

  @Shown(Object, 'How nodes are set up.')
  labels: Labels;

  @Shown('integer', 'How many workers it is to have.')
  node_count: number;

  @Shown('integer', 'How many masters it is to have.')
  master_count: number;

  @Shown(String, 'The flavor of masters.')
  master_flavor_id: string;

  @Shown(String, 'The flavor of workers.')
  flavor_id: string;

  @Shown('integer', 'Minutes until what is not ready has failed.')
  create_timeout: number;

  @Shown(String, 'Its stack; null until there is one.', {
    nullable: true,
    until: CLUSTER_ID - 1,
    major: 1,
  })
  stack_id: string | null;

  @Shown<Row>(String, 'The same.', {
    nullable: true,
    since: CLUSTER_ID,
    major: 1,
    from: ({ stackId }) => stackId,
  })
  cluster_id: string | null;

  @Shown<Row>(String, 'How far it is.', { enum: STATUSES, from: ({ state }) => statusOf(state) })
  status: string;

  @Shown(String, 'How it is, as Kubernetes says.', {
    nullable: true,
    enum: ['HEALTHY', 'UNHEALTHY', 'UNKNOWN'],
  })
  health_status: string | null;

  @Shown<Row>([() => Link], 'Where it is.', {
    from: ({ id }, ctx) => linksTo(ctx, `clusters/${id}`),
  })
  links: Link[];
}

export class ConditionView {
  @Shown(String, 'How far it is.', { enum: ['pending', 'ready', 'failed'] })
  status: string;

  @Shown(String, 'What keeps it back, or why it failed.')
  reason: string;
}

export const ConditionsView = answerClass(
  'ConditionsView',
  Object.fromEntries(
    CONDITIONS.map((name) => [name, Shown(() => ConditionView, 'How it is.', { optional: true })]),
  ),
);

/** Public source: Container Infrastructure Management API reference, "Show details of a cluster". */
export class ClusterView extends ClusterSummary {
  @Shown(String, 'Whose it is.')
  project_id: string;

  @Shown(String, 'Who made it.')
  user_id: string;

  @Shown<Row>(String, 'Why it is in its status.', {
    nullable: true,
    from: ({ stateReason }) => stateReason,
  })
  status_reason: string | null;

  @Shown(Object, 'What makes it unhealthy, or all that is well.')
  health_status_reason: Readonly<Record<string, string>>;

  @Shown(() => ConditionsView, 'How far its parts are.')
  conditions: object;

  @Shown(String, "The address of Kubernetes' API; null until there is one.", { nullable: true })
  api_address: string | null;

  @Shown(String, 'As it was given.', { nullable: true })
  discovery_url: string | null;

  @Shown(String, 'The version of Kubernetes; null until a node has told.', { nullable: true })
  coe_version: string | null;

  @Shown(String, 'The version of what runs containers.', { nullable: true })
  container_version: string | null;

  @Shown([String], 'The addresses of workers.')
  node_addresses: string[];

  @Shown([String], 'The addresses of masters.')
  master_addresses: string[];

  @Shown(String, 'The network of the nodes, as it was given.', { nullable: true })
  fixed_network: string | null;

  @Shown(String, 'The subnet of the nodes, as it was given.', { nullable: true })
  fixed_subnet: string | null;

  @Shown(Boolean, 'Whether nodes have floating IPs.')
  floating_ip_enabled: boolean;

  @Shown(Boolean, 'Whether the API is behind a load balancer.')
  master_lb_enabled: boolean;

  @Shown<Row>(Object, "The template's values of labels that differ.", {
    from: ({ labels, templateLabels }) => differencesOf(labels, templateLabels).overridden,
  })
  labels_overridden: Labels;

  @Shown<Row>(Object, 'Labels that the template lacks.', {
    from: ({ labels, templateLabels }) => differencesOf(labels, templateLabels).added,
  })
  labels_added: Labels;

  @Shown<Row>(Object, 'Labels that only the template has.', {
    from: ({ labels, templateLabels }) => differencesOf(labels, templateLabels).skipped,
  })
  labels_skipped: Labels;

  @Shown<Row>(Object, 'Why node groups have failed, by their names; where the cluster has.', {
    optional: true,
    from: ({ state, faults }) => (state.endsWith('_failed') ? faults : undefined),
  })
  faults?: Readonly<Record<string, string>>;

  @Shown('date-time', 'When it was made.')
  created_at: string;

  @Shown('date-time', 'When it was last changed.', { nullable: true })
  updated_at: string | null;
}

/** What a request that takes its time is answered with. */
export class ClusterRef {
  @Shown(String, "The cluster's id.")
  uuid: string;
}

const NEXT = Shown(String, 'The next page, where there is one.', { optional: true });

export const ClusterList = answerClass('ClusterList', {
  clusters: Shown([() => ClusterSummary], 'The clusters of the page.'),
  next: NEXT,
});

export const ClusterDetailList = answerClass('ClusterDetailList', {
  clusters: Shown([() => ClusterView], 'The clusters of the page.'),
  next: NEXT,
});

export function clusterSummary(ctx: RequestContext): (row: Row) => ClusterSummary {
  return viewIn<Row, ClusterSummary>(ctx, ClusterSummary, magnumTime);
}

export function clusterView(ctx: RequestContext): (row: Row) => ClusterView {
  return viewIn<Row, ClusterView>(ctx, ClusterView, magnumTime);
}
