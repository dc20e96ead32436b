/** Public source: Container Infrastructure Management API reference, "Cluster Templates". */
import { isIPv4 } from 'node:net';
import { Entity, Index } from 'typeorm';
import type { Id, ProjectId, UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { answerClass, Shown, viewIn } from '@cumulet/common/http/shown';
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import { answerOf, bodyOf, rowOf, sortKeysOf } from '@cumulet/common/resources/classes';
import { checked, choice, id, moment, orNull, text } from '@cumulet/common/resources/field-type';
import { SortedBy } from '@cumulet/common/tables/listing';
import { count, flag } from '../http/fields.js';
import { Link, linksTo } from '../http/links.js';
import { NEXT, PageQuery } from '../http/paging.js';
import { magnumTime } from '../http/time.js';
import { labels } from '../labels/labels.js';
import { DEFAULT_NETWORK_DRIVER, DRIVER } from './template-rules.js';

export type ClusterTemplateId = Id<'ClusterTemplate'>;

export const CLUSTER_TEMPLATE = {
  id: shownOnly(id<ClusterTemplateId>(), {
    about: 'The ID.',
    wire: 'uuid',
    column: { primary: true, primaryKeyConstraintName: 'cluster_templates_pkey' },
  }),
  projectId: shownOnly(text<ProjectId>(), { about: 'The project that owns the template.' }),
  userId: shownOnly(text<UserId>(), { about: 'The user who created the template.' }),
  name: attribute(text(), { about: 'The name; by default, a generated one.' }),
  coe: attribute(choice(['kubernetes']), {
    about: 'The container orchestration engine.',
    required: true,
    column: { default: 'kubernetes' },
  }),
  imageId: attribute(text(), { about: 'The image of the nodes, by ID or name.', required: true }),
  flavorId: attribute(orNull(text()), { about: 'The flavor of workers, by ID or name.' }),
  masterFlavorId: attribute(orNull(text()), { about: 'The flavor of masters, by ID or name.' }),
  dnsNameserver: attribute(
    orNull(checked(isListOfAddresses, 'must be IPv4 addresses separated by commas')),
    { about: 'The name servers of the nodes: IPv4 addresses, separated by commas.' },
  ),
  keypairId: attribute(orNull(text()), { about: 'The key pair for access to the nodes.' }),
  externalNetworkId: attribute(orNull(text()), { about: 'The external network, by ID or name.' }),
  fixedNetwork: attribute(orNull(text()), {
    about: 'The network of the nodes, by ID or name; by default, each cluster has its own.',
  }),
  fixedSubnet: attribute(orNull(text()), { about: 'The subnet of the nodes, by ID or name.' }),
  networkDriver: attribute(text(), {
    about: 'The driver of the pod network.',
    default: DEFAULT_NETWORK_DRIVER,
    column: { default: undefined },
  }),
  apiserverPort: attribute(orNull(count({ min: 1_024, max: 65_535 })), {
    about: 'The port of the Kubernetes API; 6443 by default.',
  }),
  dockerVolumeSize: attribute(orNull(count({ min: 1 })), {
    about: 'The size in GiB of the storage for containers on each node.',
  }),
  dockerStorageDriver: attribute(orNull(text()), { about: 'The storage driver for containers.' }),
  clusterDistro: attribute(orNull(text()), {
    about: 'The `os_distro` of the image when the template was created.',
  }),
  httpProxy: attribute(orNull(text()), { about: 'The HTTP proxy of the nodes.' }),
  httpsProxy: attribute(orNull(text()), { about: 'The HTTPS proxy of the nodes.' }),
  noProxy: attribute(orNull(text()), {
    about: 'Addresses that are reached without a proxy, separated by commas.',
  }),
  volumeDriver: attribute(orNull(text()), { about: 'The volume driver: cinder.' }),
  registryEnabled: attribute(flag, {
    about: 'Whether each cluster has an image registry.',
    default: false,
  }),
  insecureRegistry: attribute(orNull(text()), {
    about: 'A registry that is used without TLS: host:port.',
  }),
  labels: attribute(labels, { about: 'Labels, which say how nodes are set up.', default: {} }),
  tlsDisabled: attribute(flag, {
    about: 'Whether the Kubernetes API is served without TLS.',
    default: false,
  }),
  public: attribute(flag, {
    about: 'Whether every project may use the template; only administrators set it.',
    default: false,
  }),
  hidden: attribute(flag, {
    about:
      'Whether lists omit the template and new clusters cannot use it; only administrators set it.',
    default: false,
  }),
  serverType: attribute(choice(['vm', 'bm']), { about: 'The kind of the nodes.', default: 'vm' }),
  masterLbEnabled: attribute(flag, {
    about: 'Whether a load balancer is in front of the Kubernetes API.',
    default: false,
  }),
  floatingIpEnabled: attribute(flag, {
    about: 'Whether nodes have floating IPs.',
    default: true,
  }),
  tags: attribute(orNull(text({ min: 0 })), { about: 'Tags, separated by commas.' }),
  driver: attribute(orNull(text()), {
    about: 'The driver of the clusters: cumulet.',
    default: DRIVER,
    column: { default: undefined },
  }),
  createdAt: shownOnly(moment, {
    about: 'When it was created.',
    column: { default: () => 'now()' },
  }),
  updatedAt: shownOnly(orNull(moment), {
    about: 'When it was last changed.',
    sort: false,
  }),
} as const;

function isListOfAddresses(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.length <= 255 &&
    value.split(',').every((one) => isIPv4(one.trim()))
  );
}

@Entity('cluster_templates')
@Index('cluster_templates_project_page_idx', ['projectId', 'createdAt', 'id'])
@Index('cluster_templates_page_idx', ['createdAt', 'id'])
@Index('cluster_templates_public_idx', ['createdAt', 'id'], { where: 'public' })
@Index('cluster_templates_name_idx', ['name'])
export class ClusterTemplate extends rowOf(CLUSTER_TEMPLATE) {}

/** Magnum's client sends null for fields that were not given. */
export class ClusterTemplateDto extends bodyOf(CLUSTER_TEMPLATE, { nullIsNothing: true }) {}

export class ClusterTemplateView extends answerOf(CLUSTER_TEMPLATE, {
  links: Shown<ClusterTemplate>([() => Link], 'Links to the template.', {
    from: (row, ctx) => linksTo(ctx, `clustertemplates/${row.id}`),
  }),
}) {}

export const ClusterTemplateList = answerClass('ClusterTemplateList', {
  clustertemplates: Shown([() => ClusterTemplateView], 'The templates of the page.'),
  next: NEXT,
});

export function clusterTemplateView(ctx: RequestContext): (row: ClusterTemplate) => object {
  return viewIn(ctx, ClusterTemplateView, magnumTime);
}

/** Magnum's `id` is a serial number, so it sorts by creation. */
@SortedBy(['createdAt'], {
  ...sortKeysOf(CLUSTER_TEMPLATE),
  id: 'createdAt',
  // An unchanged template sorts by its creation.
  updated_at: { sql: 'COALESCE(updated_at, created_at)' },
})
export class ListClusterTemplatesQuery extends PageQuery {}
