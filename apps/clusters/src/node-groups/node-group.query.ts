import { FilteredBy, SortedBy } from '@cumulet/common/tables/listing';
import { TextField } from '../http/fields.js';
import { PageQuery } from '../http/paging.js';

@SortedBy(['createdAt', 'number'], {
  id: 'number',
  uuid: 'id',
  name: 'name',
  role: 'role',
  node_count: 'nodeCount',
  flavor_id: 'flavorId',
  image_id: 'imageId',
  status: 'status',
  created_at: 'createdAt',
  // What has never changed counts from when it was made.
  updated_at: { sql: 'COALESCE(updated_at, created_at)' },
})
export class ListNodeGroupsQuery extends PageQuery {
  @FilteredBy()
  @TextField('Those of this role.')
  role?: string;
}
