/**
 * Operations of Neutron's API that this service does not have yet. A resource's group goes as its
 * folder comes. Public source: Networking API reference.
 */
import type { UnsupportedGroup } from '@cumulet/common/http/unsupported-operations';

export const PLANNED_GROUPS: readonly UnsupportedGroup[] = [
  {
    of: 'Ports',
    under: '/v2.0/ports',
    operations: {
      'GET /{port_id}/bindings': 'show Port Binding of a Port',
      'POST /{port_id}/bindings': 'create Port binding',
      'PUT /{port_id}/bindings/{host}/activate': 'activate Port binding',
      'DELETE /{port_id}/bindings/{host}': 'delete Port Binding',
    },
  },
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
