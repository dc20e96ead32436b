import { createDataSource } from '@cumulet/common/database/data-source';
import type { DataSource } from 'typeorm';
import { imagesEntities } from './entities.js';
import { Core1763700000000 } from './migrations/1763700000000-core.js';
import { WholeImages1795230000000 } from './migrations/1795230000000-whole-images.js';
import { MetadataDefinitions1795300000000 } from './migrations/1795300000000-metadata-definitions.js';
import { Generations1795800000000 } from './migrations/1795800000000-generations.js';
import { ImportTurns1795700000000 } from './migrations/1795700000000-import-turns.js';
import { StoreMarks1795600000000 } from './migrations/1795600000000-store-marks.js';
import { UsedImageIds1795500000000 } from './migrations/1795500000000-used-image-ids.js';
import { WellKnownResourceTypes1795400000000 } from './migrations/1795400000000-well-known-resource-types.js';

/**
 * @param url the service's own database
 * @param poolSize connections of this process at the most
 */
export function createImagesDataSource(url: string, poolSize = 10): DataSource {
  return createDataSource({
    url,
    poolSize,
    applicationName: 'cumulet images',
    entities: imagesEntities,
    migrations: [
      Core1763700000000,
      WholeImages1795230000000,
      MetadataDefinitions1795300000000,
      WellKnownResourceTypes1795400000000,
      UsedImageIds1795500000000,
      StoreMarks1795600000000,
      ImportTurns1795700000000,
      Generations1795800000000,
    ],
  });
}
