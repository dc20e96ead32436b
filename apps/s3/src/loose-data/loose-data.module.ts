/** Bytes that no object has. */
import { Feature } from '@cumulet/common/service/feature';
import { LooseData } from './loose-data.entity.js';
import { LooseDataRepository } from './loose-data.repository.js';
import { LooseDataSweep } from './loose-data.sweep.js';
import { UnknownDataSweep } from './unknown-data.sweep.js';

@Feature({
  providers: [LooseDataRepository, LooseDataSweep, UnknownDataSweep],
  entities: [LooseData],
})
export class LooseDataModule {}
