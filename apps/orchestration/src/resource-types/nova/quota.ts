import { quotaType } from '../quota-type.js';
import { computeOptions } from './nova-calls.js';

const INJECTED = {
  status: 'DEPRECATED',
  version: '14.0.0',
  message: 'Compute no longer puts files into servers.',
} as const;

export const computeQuota = quotaType({
  name: 'OS::Nova::Quota',
  service: 'compute',
  collection: '/v2.1/os-quota-sets',
  entity: 'quota_set',
  // The last in which compute takes limits of what other services have.
  options: computeOptions('2.35'),
  limits: {
    cores: { about: 'Processors' },
    fixed_ips: { about: 'Fixed IPs' },
    floating_ips: { about: 'Floating IPs' },
    instances: { about: 'Servers' },
    injected_files: { about: 'Files that are put into a server', support: INJECTED },
    injected_file_content_bytes: { about: 'Bytes of such a file', support: INJECTED },
    injected_file_path_bytes: { about: "Bytes of such a file's path", support: INJECTED },
    key_pairs: { about: 'Key pairs' },
    metadata_items: { about: 'Metadata of a server' },
    ram: { about: 'MiB of memory' },
    security_groups: { about: 'Security groups' },
    security_group_rules: { about: 'Rules of security groups' },
    server_groups: { about: 'Server groups' },
    server_group_members: { about: 'Servers of a server group' },
  },
});
