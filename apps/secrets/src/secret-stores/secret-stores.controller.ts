/**
 * Clients cannot choose the store of secrets: the answers are Barbican's with one backend. Public
 * source: Key Manager API reference, "Store backends".
 */
import { Controller } from '@nestjs/common';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { operationsOf, Refuses } from '@cumulet/common/http/unsupported-operations';
import { Feature } from '@cumulet/common/service/feature';

const OPERATIONS = operationsOf([
  {
    of: 'Secret stores',
    under: '/v1/secret-stores',
    operations: {
      'GET ': 'list stores',
      'GET /global-default': 'show the default store',
      'GET /preferred': "show the project's preferred store",
      'GET /{secret_store_id}': 'show a store',
      'POST /{secret_store_id}/preferred': 'prefer a store',
      'DELETE /{secret_store_id}/preferred': 'prefer no store',
    },
  },
]);

@Controller()
@Refuses(OPERATIONS, {
  status: 404,
  error: () =>
    new DomainError(
      'not-found',
      'Multiple backends support is not enabled in service configuration.',
    ),
})
export class SecretStoresController {}

@Feature({ controllers: [SecretStoresController] })
export class SecretStoresModule {}
