/** Objects and their versions. */
import { Feature } from '@cumulet/common/service/feature';
import { StoredObject } from './object.entity.js';
import { ObjectRepository } from './object.repository.js';
import { ObjectVersions } from './object-versions.js';

@Feature({
  entities: [StoredObject],
  providers: [ObjectRepository, ObjectVersions],
})
export class ObjectsModule {}
