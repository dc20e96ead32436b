/**
 * Operations that Cumulet does not offer: the cache (data is read directly from the store),
 * locations (the single store is private), and tasks created by clients (imports create their own).
 * Public source: Image API reference.
 */
import { operationsOf, type UnsupportedGroup } from '@cumulet/common/http/unsupported-operations';

const GROUPS: readonly UnsupportedGroup[] = [
  {
    of: 'Locations',
    under: '/v2/images/{image_id}/locations',
    operations: {
      'POST ': 'add a location',
      'GET ': 'list locations',
    },
  },
  {
    of: 'Image cache',
    under: '/v2/cache',
    operations: {
      'GET ': 'show',
      'DELETE ': 'clear',
      'PUT /{image_id}': 'queue an image',
      'DELETE /{image_id}': 'remove an image',
      'GET /nodes/{image_id}': 'list the nodes of an image',
      'POST /clean': 'remove what is invalid',
      'POST /prune': 'shrink to its size',
    },
  },
  {
    of: 'Tasks',
    under: '/v2/tasks',
    operations: {
      'POST ': 'create a task',
    },
  },
];

export const UNSUPPORTED_OPERATIONS = operationsOf(GROUPS);
