/** Objects and their versions. */
import { Feature } from '@cumulet/common/service/feature';
import { ObjectVersions } from '../objects/object-versions.js';
import { StoredObject } from '../objects/object.entity.js';
import { ObjectRepository } from '../objects/object.repository.js';
import { DeleteObject, DeleteObjects } from './delete-objects.operations.js';
import { GetObjectAcl, PutObjectAcl } from './object-acl.operations.js';
import {
  DeleteObjectTagging,
  GetObjectTagging,
  PutObjectTagging,
} from './object-tagging.operations.js';
import { GetObjectAttributes } from './reading/get-object-attributes.operation.js';
import {
  GetObject,
  GetObjectTorrent,
  HeadObject,
  RestoreObject,
} from './reading/get-object.operations.js';
import { ObjectReader } from './reading/object-reader.js';
import { CopyObject } from './writing/copy-object.operation.js';
import { CopySources } from './writing/copy-source.js';
import { ObjectWriter, PutObject } from './writing/put-object.operation.js';
import { PostObject } from './writing/post-object.operation.js';

@Feature({
  entities: [StoredObject],
  providers: [
    CopyObject,
    CopySources,
    DeleteObject,
    DeleteObjects,
    DeleteObjectTagging,
    GetObject,
    GetObjectAcl,
    GetObjectAttributes,
    GetObjectTagging,
    GetObjectTorrent,
    HeadObject,
    ObjectReader,
    ObjectRepository,
    ObjectVersions,
    ObjectWriter,
    PostObject,
    PutObject,
    PutObjectAcl,
    PutObjectTagging,
    RestoreObject,
  ],
})
export class ObjectsModule {}
