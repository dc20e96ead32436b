/** Magnum has routes for federations, but none of its drivers supports them. */
import {
  operationsOf,
  type UnsupportedOperation,
} from '@cumulet/common/http/unsupported-operations';

export const UNSUPPORTED: readonly UnsupportedOperation[] = operationsOf([
  {
    of: 'Federations',
    under: '/v1/federations',
    operations: {
      'GET ': 'list federations',
      'POST ': 'create a federation',
      'GET /{federation_ident}': 'show a federation',
      'PATCH /{federation_ident}': 'update a federation',
      'DELETE /{federation_ident}': 'delete a federation',
    },
  },
]);
