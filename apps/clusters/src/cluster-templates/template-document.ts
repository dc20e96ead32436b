/** A template between its row and what clients write of it. Pure. */
import { snakeCase } from '@cumulet/common/tables/names';
import { labelsOf } from '../labels/labels.js';
import type { Document, PatchRules } from '../patches/json-patch.js';
import type { ClusterTemplateDto } from './cluster-template.dto.js';
import type { ClusterTemplate } from './cluster-template.entity.js';
import { DEFAULT_NETWORK_DRIVER, DRIVER } from './template-rules.js';

/** What of a row is the client's. */
export type TemplateColumns = Omit<
  ClusterTemplate,
  'id' | 'projectId' | 'userId' | 'createdAt' | 'updatedAt'
>;

export const TEMPLATE_PATCH: PatchRules = {
  internal: [],
  mandatory: [
    'image_id',
    'network_driver',
    'external_network_id',
    'tls_disabled',
    'public',
    'server_type',
    'coe',
    'registry_enabled',
    'cluster_distro',
    'hidden',
  ],
  structured: ['labels'],
  defaults: { labels: {} },
};

/** @param fallback its name where none is given */
export function columnsOf(dto: ClusterTemplateDto, fallback: string): TemplateColumns {
  return {
    name: dto.name ?? fallback,
    coe: dto.coe,
    imageId: dto.image_id,
    flavorId: dto.flavor_id ?? null,
    masterFlavorId: dto.master_flavor_id ?? null,
    dnsNameserver: dto.dns_nameserver ?? null,
    keypairId: dto.keypair_id ?? null,
    externalNetworkId: dto.external_network_id ?? null,
    fixedNetwork: dto.fixed_network ?? null,
    fixedSubnet: dto.fixed_subnet ?? null,
    networkDriver: dto.network_driver ?? DEFAULT_NETWORK_DRIVER,
    apiserverPort: dto.apiserver_port ?? null,
    dockerVolumeSize: dto.docker_volume_size ?? null,
    dockerStorageDriver: dto.docker_storage_driver ?? null,
    clusterDistro: dto.cluster_distro ?? null,
    httpProxy: dto.http_proxy ?? null,
    httpsProxy: dto.https_proxy ?? null,
    noProxy: dto.no_proxy ?? null,
    volumeDriver: dto.volume_driver ?? null,
    registryEnabled: dto.registry_enabled ?? false,
    insecureRegistry: dto.insecure_registry ?? null,
    labels: labelsOf(dto.labels),
    tlsDisabled: dto.tls_disabled ?? false,
    public: dto.public ?? false,
    hidden: dto.hidden ?? false,
    serverType: dto.server_type ?? 'vm',
    masterLbEnabled: dto.master_lb_enabled ?? false,
    floatingIpEnabled: dto.floating_ip_enabled ?? true,
    tags: dto.tags ?? null,
    driver: dto.driver ?? DRIVER,
  };
}

const KEPT = ['id', 'projectId', 'userId', 'createdAt', 'updatedAt'];

/** As clients change it. */
export function documentOf(row: ClusterTemplate): Document {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => !KEPT.includes(name))
      .map(([name, value]) => [snakeCase(name), value as unknown]),
  );
}
