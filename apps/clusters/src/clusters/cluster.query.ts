import { SortedBy } from '@cumulet/common/tables/listing';
import { PageQuery } from '../http/paging.js';

/** By Magnum's `id`, a number that rises: the order in which they were made. */
@SortedBy(['createdAt'], {
  id: 'createdAt',
  uuid: 'id',
  name: 'name',
  cluster_template_id: 'clusterTemplateId',
  status: 'state',
  health_status: { sql: "COALESCE(health_status, '')" },
  created_at: 'createdAt',
  // What has never changed counts from when it was made.
  updated_at: { sql: 'COALESCE(updated_at, created_at)' },
})
export class ListClustersQuery extends PageQuery {}
