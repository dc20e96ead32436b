import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Id, ProjectId, UserId } from '@cumulet/common/context/ids';
import type { Labels } from '../labels/labels.js';

export type ClusterTemplateId = Id<'ClusterTemplate'>;

/** Public source: Container Infrastructure Management API reference, "Cluster Templates". */
@Entity('cluster_templates')
@Index('cluster_templates_project_page_idx', ['projectId', 'createdAt', 'id'])
@Index('cluster_templates_page_idx', ['createdAt', 'id'])
@Index('cluster_templates_public_idx', ['createdAt', 'id'], { where: 'public' })
@Index('cluster_templates_name_idx', ['name'])
export class ClusterTemplate {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'cluster_templates_pkey' })
  id: ClusterTemplateId;

  @Column('text', { name: 'project_id' })
  projectId: ProjectId;

  @Column('text', { name: 'user_id' })
  userId: UserId;

  @Column('text')
  name: string;

  @Column('text', { default: 'kubernetes' })
  coe: string;

  /** As the client names it: an id or a name. */
  @Column('text', { name: 'image_id' })
  imageId: string;

  @Column('text', { name: 'flavor_id', nullable: true })
  flavorId: string | null;

  @Column('text', { name: 'master_flavor_id', nullable: true })
  masterFlavorId: string | null;

  @Column('text', { name: 'dns_nameserver', nullable: true })
  dnsNameserver: string | null;

  @Column('text', { name: 'keypair_id', nullable: true })
  keypairId: string | null;

  @Column('text', { name: 'external_network_id', nullable: true })
  externalNetworkId: string | null;

  @Column('text', { name: 'fixed_network', nullable: true })
  fixedNetwork: string | null;

  @Column('text', { name: 'fixed_subnet', nullable: true })
  fixedSubnet: string | null;

  @Column('text', { name: 'network_driver' })
  networkDriver: string;

  @Column('integer', { name: 'apiserver_port', nullable: true })
  apiserverPort: number | null;

  @Column('integer', { name: 'docker_volume_size', nullable: true })
  dockerVolumeSize: number | null;

  @Column('text', { name: 'docker_storage_driver', nullable: true })
  dockerStorageDriver: string | null;

  /** `os_distro` of the image when the template was made. */
  @Column('text', { name: 'cluster_distro', nullable: true })
  clusterDistro: string | null;

  @Column('text', { name: 'http_proxy', nullable: true })
  httpProxy: string | null;

  @Column('text', { name: 'https_proxy', nullable: true })
  httpsProxy: string | null;

  @Column('text', { name: 'no_proxy', nullable: true })
  noProxy: string | null;

  @Column('text', { name: 'volume_driver', nullable: true })
  volumeDriver: string | null;

  @Column('boolean', { name: 'registry_enabled', default: false })
  registryEnabled: boolean;

  @Column('text', { name: 'insecure_registry', nullable: true })
  insecureRegistry: string | null;

  @Column('jsonb', { default: () => `'{}'` })
  labels: Labels;

  @Column('boolean', { name: 'tls_disabled', default: false })
  tlsDisabled: boolean;

  @Column('boolean', { default: false })
  public: boolean;

  @Column('boolean', { default: false })
  hidden: boolean;

  @Column('text', { name: 'server_type', default: 'vm' })
  serverType: string;

  @Column('boolean', { name: 'master_lb_enabled', default: false })
  masterLbEnabled: boolean;

  @Column('boolean', { name: 'floating_ip_enabled', default: true })
  floatingIpEnabled: boolean;

  /** Separated by commas. */
  @Column('text', { nullable: true })
  tags: string | null;

  @Column('text', { nullable: true })
  driver: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, nullable: true })
  updatedAt: Date | null;
}
