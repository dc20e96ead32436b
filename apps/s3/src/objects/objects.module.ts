/** Objects and their versions. */
import { Feature } from '@cumulet/common/service/feature';
import { CopyObject } from './copy-object.operation.js';
import { CopySources } from './copy-source.js';
import { DeleteObject } from './delete-object.operation.js';
import { DeleteObjects } from './delete-objects.operation.js';
import { GetObjectAttributes } from './get-object-attributes.operation.js';
import { GetObjectTorrent } from './get-object-torrent.operation.js';
import { GetObject } from './get-object.operation.js';
import { HeadObject } from './head-object.operation.js';
import { ObjectReader } from './object-reader.js';
import { ObjectVersions } from './object-versions.js';
import { ObjectWriter } from './object-writer.js';
import { StoredObject } from './object.entity.js';
import { ObjectRepository } from './object.repository.js';
import { FormSenders } from '../auth/post/form-senders.js';
import { PostObject } from './post-object/post-object.operation.js';
import { PutObject } from './put-object.operation.js';
import { RestoreObject } from './restore-object.operation.js';
import { Slices } from './slice.js';
import { DeleteObjectTagging } from './tagging/delete-object-tagging.operation.js';
import { GetObjectTagging } from './tagging/get-object-tagging.operation.js';
import { PutObjectTagging } from './tagging/put-object-tagging.operation.js';

@Feature({
  entities: [StoredObject],
  providers: [
    CopyObject,
    CopySources,
    DeleteObject,
    DeleteObjects,
    DeleteObjectTagging,
    FormSenders,
    GetObject,
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
    PutObjectTagging,
    RestoreObject,
    Slices,
  ],
})
export class ObjectsModule {}
