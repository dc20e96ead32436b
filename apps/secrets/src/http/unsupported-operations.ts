/**
 * Operations of Barbican's API that are not offered: orders, since no keys or certificates are
 * generated (orders/ has their list), certificate authorities, and transport keys. Public source: Key
 * Manager API reference.
 */
import { operationsOf, type UnsupportedGroup } from '@cumulet/common/http/unsupported-operations';

const GROUPS: readonly UnsupportedGroup[] = [
  {
    of: 'Orders',
    under: '/v1/orders',
    operations: {
      'POST ': 'create an order',
      'GET /{order_id}': 'show an order',
      'PUT /{order_id}': 'change an order',
      'DELETE /{order_id}': 'delete an order',
    },
  },
  {
    of: 'Certificate authorities',
    under: '/v1/cas',
    operations: {
      'GET ': 'list authorities',
      'POST ': 'create an authority',
      'GET /all': 'list all authorities',
      'GET /global-preferred': 'show the global authority',
      'GET /preferred': 'show the preferred authority',
      'POST /unset-global-preferred': 'unset the global authority',
      'GET /{ca_id}': 'show an authority',
      'DELETE /{ca_id}': 'delete an authority',
      'GET /{ca_id}/attributes': 'show the attributes of an authority',
      'GET /{ca_id}/cacert': 'show the certificate of an authority',
      'GET /{ca_id}/cacertchain': 'show the chain of an authority',
      'GET /{ca_id}/projects': 'list the projects of an authority',
      'POST /{ca_id}/add-to-project': 'add an authority to a project',
      'POST /{ca_id}/remove-from-project': 'remove an authority from a project',
      'POST /{ca_id}/set-preferred': 'prefer an authority',
      'POST /{ca_id}/set-global-preferred': 'prefer an authority globally',
    },
  },
  {
    of: 'Transport keys',
    under: '/v1/transport_keys',
    operations: {
      'GET ': 'list transport keys',
      'POST ': 'create a transport key',
      'GET /{transport_key_id}': 'show a transport key',
      'DELETE /{transport_key_id}': 'delete a transport key',
    },
  },
];

export const UNSUPPORTED_OPERATIONS = operationsOf(GROUPS);
