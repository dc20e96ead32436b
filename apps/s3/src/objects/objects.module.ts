/** Objects and their versions. */
import { Feature } from '@cumulet/common/service/feature';
import { StoredObject } from './object.entity.js';

@Feature({ entities: [StoredObject] })
export class ObjectsModule {}
