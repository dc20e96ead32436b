/** Public source: Container Infrastructure Management API reference, "Node Groups". */
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { Id, ProjectId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { CheckedField } from '@cumulet/common/http/fields';
import { answerClass, Shown, viewIn } from '@cumulet/common/http/shown';
import { attribute, computed, givenOnly, shownOnly } from '@cumulet/common/resources/attribute';
import {
  answerOf,
  bodyOf,
  pick,
  rowOf,
  sortKeysOf,
  type GivenColumns,
} from '@cumulet/common/resources/classes';
import {
  id,
  json,
  moment,
  orNull,
  text,
  texts,
  type FieldType,
} from '@cumulet/common/resources/field-type';
import { FilteredBy, SortedBy } from '@cumulet/common/tables/listing';
import { Cluster } from '../clusters/cluster.entity.js';
import { type ClusterId, MAX_NODES } from '../clusters/cluster.resource.js';
import { count, flag, TextField } from '../http/fields.js';
import { Link, linksTo } from '../http/links.js';
import { NEXT, PageQuery } from '../http/paging.js';
import { magnumTime } from '../http/time.js';
import { differencesOf, labels, type Labels } from '../labels/labels.js';

export type NodeGroupId = Id<'NodeGroup'>;

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/** A group with its cluster, from which some answers derive. */
interface Shows {
  readonly labels: Labels;
  readonly cluster: Cluster;
}

const nodes = count({ min: 0, max: MAX_NODES });

const taints: FieldType<readonly Taint[]> = {
  ...json<readonly Taint[]>([Object]),
  field: (options) =>
    CheckedField(
      isListOfObjects,
      'must be a list of at most 64 objects with key, effect and, where it has one, value',
      { type: 'array', items: { type: 'object', additionalProperties: { type: 'string' } } },
      options,
    ),
};

function isListOfObjects(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length <= 64 &&
    value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
  );
}

/** Introduced with labels and taints of nodes. */
const OF_NODES = { versions: { since: 14, major: 1 } } as const;

export const NODE_GROUP = {
  id: shownOnly(id<NodeGroupId>(), {
    about: 'The ID.',
    wire: 'uuid',
    column: { primary: true, primaryKeyConstraintName: 'node_groups_pkey' },
  }),
  name: attribute(
    text({
      pattern: /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/,
      patternText:
        'must begin with a letter or digit and continue with these, dots, dashes and underscores',
    }),
    { about: 'The name, unique within the cluster.', required: true },
  ),
  flavorId: attribute(text(), {
    about: "The flavor of the nodes, by ID or name; by default, the cluster's.",
  }),
  imageId: attribute(text(), {
    about: "The image of the nodes, by ID or name; by default, the template's.",
  }),
  nodeCount: attribute(nodes, {
    about: 'The number of nodes.',
    default: 1,
    column: { default: undefined },
  }),
  role: attribute(text(), {
    about: 'The role of the nodes; all but masters are workers.',
    default: 'worker',
    column: { default: undefined },
  }),
  isDefault: shownOnly(flag, {
    about: 'Whether it is one of the two default groups.',
    column: { default: false },
  }),
  stackId: computed(orNull(text()), {
    about: "The cluster's stack.",
    from: ({ cluster }: Shows) => cluster.stackId,
    sort: false,
  }),
  status: shownOnly(text(), { about: 'The status.' }),
  number: shownOnly(
    { ...text(), shape: 'integer' },
    {
      about: 'The number of its row, which clients know as its ID.',
      wire: 'id',
      column: { type: 'bigint', generated: 'increment' },
      from: ({ number }: { readonly number: string }) => Number(number),
    },
  ),
  clusterId: shownOnly(id<ClusterId>(), { about: 'The cluster.' }),
  projectId: shownOnly(text<ProjectId>(), { about: 'The project that owns the cluster.' }),
  minNodeCount: attribute(nodes, { about: 'The smallest number of nodes.', default: 0 }),
  maxNodeCount: attribute(orNull(nodes), { about: 'The largest number of nodes.' }),
  dockerVolumeSize: attribute(orNull(count({ min: 1 })), {
    about: 'The size in GiB of the storage for containers on each node.',
  }),
  labels: attribute(labels, {
    about: "Labels, which say how nodes are set up; by default, the cluster's.",
    default: {},
  }),
  mergeLabels: givenOnly(flag, {
    about: "Whether the labels are added to the cluster's.",
    default: false,
  }),
  nodeAddresses: shownOnly(texts, {
    about: 'The addresses of the nodes.',
    sort: false,
    virtual: (table) =>
      `SELECT coalesce(array_agg(coalesce(public_address, address) ORDER BY created_at, name), '{}')
           FROM nodes
          WHERE node_group_id = ${table}.id AND fate <> 'leaving' AND address IS NOT NULL`,
  }),
  statusReason: shownOnly(orNull(text()), { about: 'The reason for the status.' }),
  version: shownOnly(orNull(text()), {
    about: 'The version of Kubernetes, as the image says: `v1.35.4`.',
  }),
  nodeLabels: attribute(orNull(labels), {
    about: 'Labels of the nodes in Kubernetes.',
    sort: false,
    ...OF_NODES,
  }),
  nodeTaints: attribute(orNull(taints), {
    about: 'Taints of the nodes in Kubernetes.',
    sort: false,
    ...OF_NODES,
  }),
  labelsOverridden: computed(labels, {
    about: "The cluster's values of labels that differ.",
    from: ({ labels: own, cluster }: Shows) => differencesOf(own, cluster.labels).overridden,
    sort: false,
  }),
  labelsAdded: computed(labels, {
    about: 'Labels that the cluster does not have.',
    from: ({ labels: own, cluster }: Shows) => differencesOf(own, cluster.labels).added,
    sort: false,
  }),
  labelsSkipped: computed(labels, {
    about: 'Labels that only the cluster has.',
    from: ({ labels: own, cluster }: Shows) => differencesOf(own, cluster.labels).skipped,
    sort: false,
  }),
  createdAt: shownOnly(moment, {
    about: 'When it was created.',
    column: { default: () => 'now()' },
  }),
  updatedAt: shownOnly(orNull(moment), { about: 'When it was last changed.', sort: false }),
} as const;

@Entity('node_groups')
@Index('node_groups_cluster_page_idx', ['clusterId', 'createdAt', 'id'])
@Index('node_groups_name_idx', ['clusterId', 'name'], { unique: true })
@Index('node_groups_project_idx', ['projectId'])
@ForeignKey(() => Cluster, ['clusterId'], ['id'], {
  name: 'node_groups_cluster_fkey',
  onDelete: 'CASCADE',
})
export class NodeGroup extends rowOf(NODE_GROUP) {
  /** The ID that the image's name stood for. */
  @Column('text', { name: 'image_ref' })
  imageRef: string;

  /** Whether it is being deleted, with all its nodes. */
  @Column('boolean', { name: 'is_leaving', default: false })
  isLeaving: boolean;
}

export class NodeGroupDto extends bodyOf(NODE_GROUP, { nullIsNothing: true }) {}
export type NewNodeGroup = GivenColumns<typeof NODE_GROUP>;

/** The fields that may change. */
export const NODE_GROUP_CHANGE = pick(NODE_GROUP, [
  'minNodeCount',
  'maxNodeCount',
  'nodeLabels',
  'nodeTaints',
]);
export class NodeGroupPatch extends bodyOf(NODE_GROUP_CHANGE, { nullIsNothing: true }) {}

/** Public source: "List all node groups". */
export class NodeGroupSummary extends answerOf(
  pick(NODE_GROUP, [
    'id',
    'name',
    'flavorId',
    'imageId',
    'nodeCount',
    'role',
    'isDefault',
    'stackId',
    'status',
  ]),
) {}

/** Public source: "Show details of a node group". */
export class NodeGroupView extends answerOf(NODE_GROUP, {
  links: Shown<NodeGroup>([() => Link], 'Links to the node group.', {
    from: (row, ctx) => linksTo(ctx, `clusters/${row.clusterId}/nodegroups/${row.id}`),
  }),
}) {}

export const NodeGroupList = answerClass('NodeGroupList', {
  nodegroups: Shown([() => NodeGroupSummary], 'The node groups of the page.'),
  next: NEXT,
});

export function nodeGroupView(
  ctx: RequestContext,
  cluster: Cluster,
  shown = NodeGroupView,
): (group: NodeGroup) => object {
  const view = viewIn<NodeGroup & Shows, object>(ctx, shown, magnumTime);
  return (group) => view(Object.assign(group, { cluster }));
}

@SortedBy(['createdAt', 'number'], {
  ...sortKeysOf(NODE_GROUP),
  // An unchanged group sorts by its creation.
  updated_at: { sql: 'COALESCE(updated_at, created_at)' },
})
export class ListNodeGroupsQuery extends PageQuery {
  @FilteredBy()
  @TextField('The role by which node groups are filtered.')
  role?: string;
}
