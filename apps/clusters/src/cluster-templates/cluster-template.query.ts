import { SortedBy } from '@cumulet/common/tables/listing';
import { PageQuery } from '../http/paging.js';

/** By Magnum's `id`, a number that rises: the order in which they were made. */
@SortedBy(['createdAt'], {
  id: 'createdAt',
  uuid: 'id',
  name: 'name',
  coe: 'coe',
  image_id: 'imageId',
  flavor_id: { sql: "COALESCE(flavor_id, '')" },
  master_flavor_id: { sql: "COALESCE(master_flavor_id, '')" },
  cluster_distro: { sql: "COALESCE(cluster_distro, '')" },
  created_at: 'createdAt',
  // What has never changed counts from when it was made.
  updated_at: { sql: 'COALESCE(updated_at, created_at)' },
})
export class ListClusterTemplatesQuery extends PageQuery {}
