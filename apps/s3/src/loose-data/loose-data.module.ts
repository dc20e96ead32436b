/** Bytes that no object has. */
import { Feature } from '@cumulet/common/service/feature';
import { LooseData } from './loose-data.entity.js';

@Feature({ entities: [LooseData] })
export class LooseDataModule {}
