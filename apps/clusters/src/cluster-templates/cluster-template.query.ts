import { SortedBy } from '@cumulet/common/tables/listing';
import { keysOf, PageQuery } from '../http/paging.js';
import type { ClusterTemplate } from './cluster-template.entity.js';

/** By Magnum's `id`, a number that rises: the order in which they were made. */
@SortedBy(['createdAt'], {
  ...keysOf<ClusterTemplate>(
    'name',
    'projectId',
    'userId',
    'imageId',
    'flavorId',
    'masterFlavorId',
    'keypairId',
    'externalNetworkId',
    'fixedNetwork',
    'fixedSubnet',
    'networkDriver',
    'volumeDriver',
    'dnsNameserver',
    'apiserverPort',
    'dockerVolumeSize',
    'dockerStorageDriver',
    'clusterDistro',
    'coe',
    'httpProxy',
    'httpsProxy',
    'noProxy',
    'registryEnabled',
    'labels',
    'tlsDisabled',
    'public',
    'serverType',
    'insecureRegistry',
    'masterLbEnabled',
    'floatingIpEnabled',
    'hidden',
    'tags',
    'driver',
    'createdAt',
  ),
  id: 'createdAt',
  uuid: 'id',
  // What has never changed counts from when it was made.
  updated_at: { sql: 'COALESCE(updated_at, created_at)' },
})
export class ListClusterTemplatesQuery extends PageQuery {}
