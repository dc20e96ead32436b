/** Multipart uploads. */
import { Feature } from '@cumulet/common/service/feature';
import { AbortMultipartUpload } from './abort-multipart-upload.operation.js';
import { ListMultipartUploads } from './list-multipart-uploads.operation.js';
import { ListParts } from './list-parts.operation.js';
import { Part } from './part.entity.js';
import { PartRepository } from './part.repository.js';
import { UploadRepository } from './upload.repository.js';
import { Upload } from './upload.entity.js';

@Feature({
  entities: [Part, Upload],
  providers: [
    AbortMultipartUpload,
    ListMultipartUploads,
    ListParts,
    PartRepository,
    UploadRepository,
  ],
})
export class MultipartModule {}
