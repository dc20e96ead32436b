/** Cluster templates on the wire. Public source: Container Infrastructure Management API reference, "Cluster Templates". */
import { isIPv4 } from 'node:net';
import { CheckedField, EnumField, StringField } from '@cumulet/common/http/fields';
import { CountField, FlagField, TextField } from '../http/fields.js';
import { LabelsField } from '../labels/labels.js';

export class ClusterTemplateDto {
  @TextField('Its name; by default one is made up.')
  name?: string | null;

  @EnumField(['kubernetes'], { description: 'What orchestrates the containers.' })
  coe: string;

  @StringField({ description: 'The image of the nodes, by id or name.' })
  image_id: string;

  @TextField('The flavor of workers, by id or name.')
  flavor_id?: string | null;

  @TextField('The flavor of masters, by id or name.')
  master_flavor_id?: string | null;

  @CheckedField(
    isListOfAddresses,
    'must be IPv4 addresses separated by commas',
    { type: String },
    { optional: true, nullable: true, description: 'Name servers of the nodes.' },
  )
  dns_nameserver?: string | null;

  @TextField("The user's key pair, for access to the nodes.")
  keypair_id?: string | null;

  @TextField('The network that leads outside, by id or name.')
  external_network_id?: string | null;

  @TextField('The network of the nodes, by id or name; by default each cluster has its own.')
  fixed_network?: string | null;

  @TextField('The subnet of the nodes, by id or name.')
  fixed_subnet?: string | null;

  @TextField('What makes the network of pods; flannel by default.')
  network_driver?: string | null;

  @CountField("The port of Kubernetes' API; 6443 by default.", { min: 1_024, max: 65_535 })
  apiserver_port?: number | null;

  @CountField('GiB that containers have on a node.', { min: 1 })
  docker_volume_size?: number | null;

  @TextField('How container images are stored.')
  docker_storage_driver?: string | null;

  @TextField("Follows from the image's os_distro.")
  cluster_distro?: string | null;

  @TextField('Proxy for HTTP.')
  http_proxy?: string | null;

  @TextField('Proxy for HTTPS.')
  https_proxy?: string | null;

  @TextField('Where no proxy is used, separated by commas.')
  no_proxy?: string | null;

  @TextField('What makes volumes: cinder.')
  volume_driver?: string | null;

  @FlagField('Whether each cluster has a registry of images.')
  registry_enabled?: boolean | null;

  @TextField('A registry that is asked without TLS: host:port.')
  insecure_registry?: string | null;

  @LabelsField('How nodes are set up.')
  labels?: Record<string, string | number | boolean> | null;

  @FlagField('Whether the API is served without TLS.')
  tls_disabled?: boolean | null;

  @FlagField('Whether every project may use it; for administrators.')
  public?: boolean | null;

  @FlagField('Whether it is left out of lists, and no new cluster made of it; for administrators.')
  hidden?: boolean | null;

  @EnumField(['vm', 'bm'], { optional: true, nullable: true, description: 'What nodes are.' })
  server_type?: string | null;

  @FlagField('Whether the API is behind a load balancer.')
  master_lb_enabled?: boolean | null;

  @FlagField('Whether nodes have floating IPs; true by default.')
  floating_ip_enabled?: boolean | null;

  @StringField({ optional: true, nullable: true, min: 0, description: 'Separated by commas.' })
  tags?: string | null;

  @TextField('What makes the clusters: cumulet.')
  driver?: string | null;
}

function isListOfAddresses(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.length <= 255 &&
    value.split(',').every((one) => isIPv4(one.trim()))
  );
}
