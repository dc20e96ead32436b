import { FilteredBy, SortedBy } from '@cumulet/common/tables/listing';
import { TextField } from '../http/fields.js';
import { keysOf, PageQuery } from '../http/paging.js';
import type { NodeGroup } from './node-group.entity.js';

@SortedBy(['createdAt', 'number'], {
  ...keysOf<NodeGroup>(
    'name',
    'clusterId',
    'projectId',
    'dockerVolumeSize',
    'labels',
    'flavorId',
    'imageId',
    'nodeCount',
    'maxNodeCount',
    'minNodeCount',
    'role',
    'isDefault',
    'version',
    'status',
    'statusReason',
    'createdAt',
  ),
  id: 'number',
  uuid: 'id',
  // What has never changed counts from when it was made.
  updated_at: { sql: 'COALESCE(updated_at, created_at)' },
})
export class ListNodeGroupsQuery extends PageQuery {
  @FilteredBy()
  @TextField('Those of this role.')
  role?: string;
}
