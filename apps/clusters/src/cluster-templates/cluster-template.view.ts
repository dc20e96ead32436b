import { answerClass, Shown, viewIn } from '@cumulet/common/http/shown';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Link, linksTo } from '../http/links.js';
import { magnumTime } from '../http/time.js';
import type { ClusterTemplate } from './cluster-template.entity.js';

type Row = ClusterTemplate;

/** Public source: Container Infrastructure Management API reference, "Cluster Templates". */
export class ClusterTemplateView {
  @Shown<Row>(String, 'Its id.', { from: ({ id }) => id })
  uuid: string;

  @Shown(String, 'Its name.')
  name: string;

  @Shown(String, 'Whose it is.')
  project_id: string;

  @Shown(String, 'Who made it.')
  user_id: string;

  @Shown(String, 'What orchestrates the containers.', { enum: ['kubernetes'] })
  coe: string;

  @Shown(String, 'The image of the nodes.')
  image_id: string;

  @Shown(String, 'The flavor of workers.', { nullable: true })
  flavor_id: string | null;

  @Shown(String, 'The flavor of masters.', { nullable: true })
  master_flavor_id: string | null;

  @Shown(String, 'Key pair for access to the nodes.', { nullable: true })
  keypair_id: string | null;

  @Shown(String, 'Name servers of the nodes.', { nullable: true })
  dns_nameserver: string | null;

  @Shown(String, 'The network that leads outside.', { nullable: true })
  external_network_id: string | null;

  @Shown(String, 'The network of the nodes.', { nullable: true })
  fixed_network: string | null;

  @Shown(String, 'The subnet of the nodes.', { nullable: true })
  fixed_subnet: string | null;

  @Shown(String, 'What makes the network of pods.')
  network_driver: string;

  @Shown(String, 'What makes volumes.', { nullable: true })
  volume_driver: string | null;

  @Shown('integer', "The port of Kubernetes' API.", { nullable: true })
  apiserver_port: number | null;

  @Shown('integer', 'GiB that containers have on a node.', { nullable: true })
  docker_volume_size: number | null;

  @Shown(String, 'How container images are stored.', { nullable: true })
  docker_storage_driver: string | null;

  @Shown(String, "The image's os_distro.", { nullable: true })
  cluster_distro: string | null;

  @Shown(String, 'Proxy for HTTP.', { nullable: true })
  http_proxy: string | null;

  @Shown(String, 'Proxy for HTTPS.', { nullable: true })
  https_proxy: string | null;

  @Shown(String, 'Where no proxy is used.', { nullable: true })
  no_proxy: string | null;

  @Shown(Boolean, 'Whether clusters have a registry of images.')
  registry_enabled: boolean;

  @Shown(Object, 'How nodes are set up.')
  labels: Readonly<Record<string, string>>;

  @Shown(Boolean, 'Whether the API is served without TLS.')
  tls_disabled: boolean;

  @Shown(Boolean, 'Whether every project may use it.')
  public: boolean;

  @Shown(String, 'What nodes are.')
  server_type: string;

  @Shown(String, 'A registry that is asked without TLS.', { nullable: true })
  insecure_registry: string | null;

  @Shown(Boolean, 'Whether the API is behind a load balancer.')
  master_lb_enabled: boolean;

  @Shown(Boolean, 'Whether nodes have floating IPs.')
  floating_ip_enabled: boolean;

  @Shown(Boolean, 'Whether it is left out of lists.')
  hidden: boolean;

  @Shown(String, 'Separated by commas.', { nullable: true })
  tags: string | null;

  @Shown(String, 'What makes the clusters.', { nullable: true })
  driver: string | null;

  @Shown('date-time', 'When it was made.')
  created_at: string;

  @Shown('date-time', 'When it was last changed.', { nullable: true })
  updated_at: string | null;

  @Shown<Row>([() => Link], 'Where it is.', {
    from: ({ id }, ctx) => linksTo(ctx, `clustertemplates/${id}`),
  })
  links: Link[];
}

export const ClusterTemplateList = answerClass('ClusterTemplateList', {
  clustertemplates: Shown([() => ClusterTemplateView], 'The templates of the page.'),
  next: Shown(String, 'The next page, where there is one.', { optional: true }),
});

export function clusterTemplateView(ctx: RequestContext): (row: Row) => ClusterTemplateView {
  return viewIn<Row, ClusterTemplateView>(ctx, ClusterTemplateView, magnumTime);
}
