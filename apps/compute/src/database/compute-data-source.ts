import type { DataSource } from 'typeorm';
import { createDataSource } from '@cumulet/common/database/data-source';
import { computeEntities } from './entities.js';
import { CreateCompute1763700000000 } from './migrations/1763700000000-create-compute.js';
import { Generations1795800000000 } from './migrations/1795800000000-generations.js';

export function createComputeDataSource(url: string, poolSize = 10): DataSource {
  return createDataSource({
    url,
    poolSize,
    applicationName: 'cumulet compute',
    entities: computeEntities,
    migrations: [CreateCompute1763700000000, Generations1795800000000],
  });
}
