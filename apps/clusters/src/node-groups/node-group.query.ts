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
  updated_at: 'updatedAt',
})
export class ListNodeGroupsQuery extends PageQuery {
  @FilteredBy()
  @TextField('Those of this role.')
  role?: string;
}
