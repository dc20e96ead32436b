/** Lists of keys and versions. */
import { Feature } from '@cumulet/common/service/feature';
import { ListObjectVersions } from './list-object-versions.operation.js';
import { ListObjects } from './list-objects.operation.js';
import { ListObjectsV2 } from './list-objects-v2.operation.js';
import { ListingRepository } from './listing.repository.js';

@Feature({ providers: [ListingRepository, ListObjects, ListObjectsV2, ListObjectVersions] })
export class ListingModule {}
