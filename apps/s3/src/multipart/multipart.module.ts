/** Multipart uploads. */
import { Feature } from '@cumulet/common/service/feature';
import { AbortMultipartUpload } from './abort-multipart-upload.operation.js';
import { CompleteMultipartUpload } from './complete-multipart-upload.operation.js';
import { CreateMultipartUpload } from './create-multipart-upload.operation.js';
import { ListMultipartUploads } from './list-multipart-uploads.operation.js';
import { ListParts } from './list-parts.operation.js';
import { Part } from './part.entity.js';
import { PartRepository } from './part.repository.js';
import { PartWriter } from './part-writer.js';
import { UploadCompletion } from './upload-completion.js';
import { UploadPartCopy } from './upload-part-copy.operation.js';
import { UploadPart } from './upload-part.operation.js';
import { UploadRepository } from './upload.repository.js';
import { Upload } from './upload.entity.js';

@Feature({
  entities: [Part, Upload],
  providers: [
    AbortMultipartUpload,
    CompleteMultipartUpload,
    CreateMultipartUpload,
    ListMultipartUploads,
    ListParts,
    PartRepository,
    PartWriter,
    UploadCompletion,
    UploadPart,
    UploadPartCopy,
    UploadRepository,
  ],
})
export class MultipartModule {}
