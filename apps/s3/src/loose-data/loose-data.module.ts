/** Bytes that no object has. */
import { Feature } from '@cumulet/common/service/feature';
import { LooseData } from './loose-data.entity.js';
import { LooseDataRepository } from './loose-data.repository.js';

@Feature({ entities: [LooseData], providers: [LooseDataRepository] })
export class LooseDataModule {}
