import { SortedBy } from '@cumulet/common/tables/listing';
import { PageQuery } from '../http/paging.js';

/** By Magnum's `id`, a number that rises: the order in which they were made. */
@SortedBy(['createdAt'], {
  id: 'createdAt',
  uuid: 'id',
  name: 'name',
  cluster_template_id: 'clusterTemplateId',
  status: 'state',
  health_status: 'healthStatus',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
})
export class ListClustersQuery extends PageQuery {}
