import type { RequestContext } from '@cumulet/common/context/request-context';
import { answerClass, Shown, viewIn } from '@cumulet/common/http/shown';
import type { Cluster } from '../clusters/cluster.entity.js';
import { Link, linksTo } from '../http/links.js';
import { magnumTime } from '../http/time.js';
import { differencesOf, type Labels } from '../labels/labels.js';
import type { NodeGroup } from './node-group.entity.js';

/** A group, with what it shows of its cluster. */
type Row = NodeGroup & { readonly cluster: Cluster };

const NODE_LABELS = 14;

/** Public source: Container Infrastructure Management API reference, "List all node groups". */
export class NodeGroupSummary {
  @Shown<Row>(String, 'Its id.', { from: ({ id }) => id })
  uuid: string;

  @Shown(String, 'Its name.')
  name: string;

  @Shown(String, 'The flavor of its nodes.')
  flavor_id: string;

  @Shown(String, 'The image of its nodes.')
  image_id: string;

  @Shown('integer', 'How many nodes it is to have.')
  node_count: number;

  @Shown(String, 'What its nodes are for.')
  role: string;

  @Shown(Boolean, 'Whether it is one of the two that every cluster has.')
  is_default: boolean;

  @Shown<Row>(String, "The cluster's stack.", {
    nullable: true,
    from: ({ cluster }) => cluster.stackId,
  })
  stack_id: string | null;

  @Shown(String, 'How far it is.')
  status: string;
}

/** Public source: Container Infrastructure Management API reference, "Show details of a node group". */
export class NodeGroupView extends NodeGroupSummary {
  @Shown<Row>('integer', 'The number of its row.', { from: ({ number }) => Number(number) })
  id: number;

  @Shown(String, 'The cluster that it is of.')
  cluster_id: string;

  @Shown(String, 'Whose it is.')
  project_id: string;

  @Shown('integer', 'How few nodes it may have.')
  min_node_count: number;

  @Shown('integer', 'How many nodes it may have at the most.', { nullable: true })
  max_node_count: number | null;

  @Shown('integer', 'GiB that containers have on a node.', { nullable: true })
  docker_volume_size: number | null;

  @Shown(Object, 'How its nodes are set up.')
  labels: Labels;

  @Shown([String], 'The addresses of its nodes.')
  node_addresses: string[];

  @Shown(String, 'Why it is in its status.', { nullable: true })
  status_reason: string | null;

  @Shown(String, 'The version of Kubernetes of its image.', { nullable: true })
  version: string | null;

  @Shown(Object, 'Labels of its nodes in Kubernetes.', {
    nullable: true,
    since: NODE_LABELS,
    major: 1,
  })
  node_labels: Labels | null;

  @Shown([Object], 'Taints of its nodes in Kubernetes.', {
    nullable: true,
    since: NODE_LABELS,
    major: 1,
  })
  node_taints: object[] | null;

  @Shown<Row>(Object, "The cluster's values of labels that differ.", {
    from: ({ labels, cluster }) => differencesOf(labels, cluster.labels).overridden,
  })
  labels_overridden: Labels;

  @Shown<Row>(Object, 'Labels that the cluster lacks.', {
    from: ({ labels, cluster }) => differencesOf(labels, cluster.labels).added,
  })
  labels_added: Labels;

  @Shown<Row>(Object, 'Labels that only the cluster has.', {
    from: ({ labels, cluster }) => differencesOf(labels, cluster.labels).skipped,
  })
  labels_skipped: Labels;

  @Shown<Row>([() => Link], 'Where it is.', {
    from: ({ id, clusterId }, ctx) => linksTo(ctx, `clusters/${clusterId}/nodegroups/${id}`),
  })
  links: Link[];

  @Shown('date-time', 'When it was made.')
  created_at: string;

  @Shown('date-time', 'When it was last changed.', { nullable: true })
  updated_at: string | null;
}

export const NodeGroupList = answerClass('NodeGroupList', {
  nodegroups: Shown([() => NodeGroupSummary], 'The node groups of the page.'),
  next: Shown(String, 'The next page, where there is one.', { optional: true }),
});

export function nodeGroupSummary(
  ctx: RequestContext,
  cluster: Cluster,
): (group: NodeGroup) => NodeGroupSummary {
  const view = viewIn<Row, NodeGroupSummary>(ctx, NodeGroupSummary, magnumTime);
  return (group) => view(Object.assign(group, { cluster }));
}

export function nodeGroupView(
  ctx: RequestContext,
  cluster: Cluster,
): (group: NodeGroup) => NodeGroupView {
  const view = viewIn<Row, NodeGroupView>(ctx, NodeGroupView, magnumTime);
  return (group) => view(Object.assign(group, { cluster }));
}
