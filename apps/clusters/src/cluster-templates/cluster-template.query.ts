import { SortedBy } from '@cumulet/common/tables/listing';
import { PageQuery } from '../http/paging.js';

/** By Magnum's `id`, a number that rises: the order in which they were made. */
@SortedBy(['createdAt'], {
  id: 'createdAt',
  uuid: 'id',
  name: 'name',
  coe: 'coe',
  image_id: 'imageId',
  flavor_id: 'flavorId',
  master_flavor_id: 'masterFlavorId',
  cluster_distro: 'clusterDistro',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
})
export class ListClusterTemplatesQuery extends PageQuery {}
