import type { DataSource } from 'typeorm';
import { createDataSource } from '@cumulet/common/database/data-source';
import { identityEntities } from './entities.js';
import { Core1763700000000 } from './migrations/1763700000000-core.js';

/**
 * @param url identity's own database
 * @param poolSize connections of this process at the most
 */
export function createIdentityDataSource(url: string, poolSize = 10): DataSource {
  return createDataSource({
    url,
    poolSize,
    applicationName: 'cumulet identity',
    entities: identityEntities,
    migrations: [Core1763700000000],
  });
}
