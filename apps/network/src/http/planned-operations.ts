/**
 * Operations of Neutron's API that this service does not have yet. A resource's group goes as its
 * folder comes. Public source: Networking API reference.
 */
import type { UnsupportedGroup } from '@cumulet/common/http/unsupported-operations';

export const PLANNED_GROUPS: readonly UnsupportedGroup[] = [
  {
    of: 'Segments',
    under: '/v2.0/segments',
    operations: {
      'GET /{segment_id}': 'show segment details',
      'PUT /{segment_id}': 'update segment',
      'DELETE /{segment_id}': 'delete segment',
      'GET ': 'list segments',
      'POST ': 'create segment',
    },
  },
];
