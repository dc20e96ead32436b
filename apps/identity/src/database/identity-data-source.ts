import type { DataSource } from 'typeorm';
import { createDataSource } from '@cumulet/common/database/data-source';
import { identityEntities } from './entities.js';
import { Core1763700000000 } from './migrations/1763700000000-core.js';
import { Directory1795219200000 } from './migrations/1795219200000-directory.js';
import { Delegation1795222800000 } from './migrations/1795222800000-delegation.js';
import { Catalog1795226400000 } from './migrations/1795226400000-catalog.js';
import { ExtraProperties1795500000000 } from './migrations/1795500000000-extra-properties.js';
import { DomainConfigs1795900000000 } from './migrations/1795900000000-domain-configs.js';

export const identityMigrations = [
  Core1763700000000,
  Directory1795219200000,
  Delegation1795222800000,
  Catalog1795226400000,
  ExtraProperties1795500000000,
  DomainConfigs1795900000000,
];

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
    migrations: identityMigrations,
  });
}
