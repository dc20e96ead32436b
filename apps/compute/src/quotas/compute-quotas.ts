/** Compute's quotas of projects. Public source: Nova administration guide, "Manage quotas". */
import { Inject, Injectable } from '@nestjs/common';
import { defineQuotas, namesOf, type Units } from '@cumulet/common/quotas/define-quotas';
import { Quotas } from '@cumulet/common/quotas/quotas';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ComputeConfig } from '../config.js';

const SERVERS = 'servers WHERE project_id = $1';

/** A server in a resize takes the larger of its two sizes. */
const SIZES = `(
  SELECT greatest(servers.vcpus, resize.vcpus) AS vcpus,
         greatest(servers.memory_mb, resize.memory_mb) AS memory_mb
    FROM servers LEFT JOIN server_resizes AS resize ON server_id = id WHERE project_id = $1) AS sizes`;

/** Without effect, as in Nova: the network service enforces its own quotas. */
const NETWORK = { default: () => -1 };

export const COMPUTE_QUOTAS = defineQuotas({
  instances: {
    about: 'Servers.',
    default: ({ quotaInstances }: ComputeConfig) => quotaInstances,
    counted: { as: 'count(*)', in: SERVERS },
  },
  cores: {
    about: 'The vCPUs of servers.',
    default: ({ quotaCores }: ComputeConfig) => quotaCores,
    counted: { as: 'sum(vcpus)', in: SIZES },
  },
  ram: {
    about: 'The memory of servers in MiB.',
    default: ({ quotaRamMb }: ComputeConfig) => quotaRamMb,
    counted: { as: 'sum(memory_mb)', in: SIZES },
  },
  metadata_items: {
    about: 'The metadata items of a server.',
    default: ({ quotaMetadataItems }: ComputeConfig) => quotaMetadataItems,
  },
  injected_files: {
    about: 'The injected files of a server.',
    default: ({ quotaInjectedFiles }: ComputeConfig) => quotaInjectedFiles,
  },
  injected_file_content_bytes: {
    about: 'The bytes of an injected file.',
    default: ({ quotaInjectedFileBytes }: ComputeConfig) => quotaInjectedFileBytes,
  },
  injected_file_path_bytes: {
    about: "The bytes of an injected file's path.",
    default: ({ quotaInjectedPathBytes }: ComputeConfig) => quotaInjectedPathBytes,
  },
  key_pairs: { about: 'The key pairs of a user.', default: () => 100 },
  server_groups: {
    about: 'Server groups.',
    default: ({ quotaServerGroups }: ComputeConfig) => quotaServerGroups,
    counted: { as: 'count(*)', in: 'server_groups WHERE project_id = $1' },
  },
  server_group_members: {
    about: 'The servers of a server group.',
    default: ({ quotaServerGroupMembers }: ComputeConfig) => quotaServerGroupMembers,
  },
  fixed_ips: { ...NETWORK, about: 'Without effect.' },
  floating_ips: { ...NETWORK, about: 'Has no effect: the network service has this quota.' },
  security_groups: { ...NETWORK, about: 'Has no effect: the network service has this quota.' },
  security_group_rules: {
    ...NETWORK,
    about: 'Has no effect: the network service has this quota.',
  },
});

export type ComputeQuota = keyof typeof COMPUTE_QUOTAS;
export type ComputeLimits = Units<ComputeQuota>;
export const COMPUTE_QUOTA_NAMES = namesOf(COMPUTE_QUOTAS);

@Injectable()
export class ComputeQuotas extends Quotas<ComputeQuota> {
  constructor(@Inject(CONFIG) config: ComputeConfig) {
    super(COMPUTE_QUOTAS, config);
  }
}
