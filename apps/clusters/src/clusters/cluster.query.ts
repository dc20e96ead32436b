import { SortedBy } from '@cumulet/common/tables/listing';
import { keysOf, PageQuery } from '../http/paging.js';
import type { Cluster } from './cluster.entity.js';

/** By Magnum's `id`, a number that rises: the order in which they were made. */
@SortedBy(['createdAt'], {
  ...keysOf<Cluster>(
    'name',
    'projectId',
    'userId',
    'clusterTemplateId',
    'keypair',
    'dockerVolumeSize',
    'labels',
    'masterFlavorId',
    'flavorId',
    'stackId',
    'apiAddress',
    'healthStatus',
    'createTimeout',
    'discoveryUrl',
    'coeVersion',
    'containerVersion',
    'fixedNetwork',
    'fixedSubnet',
    'floatingIpEnabled',
    'masterLbEnabled',
    'createdAt',
  ),
  id: 'createdAt',
  uuid: 'id',
  status: 'state',
  status_reason: 'stateReason',
  // What has never changed counts from when it was made.
  updated_at: { sql: 'COALESCE(updated_at, created_at)' },
})
export class ListClustersQuery extends PageQuery {}
