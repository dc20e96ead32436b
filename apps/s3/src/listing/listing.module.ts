/** Lists of keys and versions. */
import { Feature } from '@cumulet/common/service/feature';
import { ListingRepository } from './listing.repository.js';

@Feature({ providers: [ListingRepository] })
export class ListingModule {}
