/** Multipart uploads. */
import { Feature } from '@cumulet/common/service/feature';
import {
  AbortMultipartUpload,
  CreateMultipartUpload,
} from './create-multipart-upload.operations.js';
import {
  CompleteMultipartUpload,
  UploadCompletion,
} from './complete-multipart-upload.operation.js';
import { ListMultipartUploads, ListParts } from './list-uploads.operations.js';
import { PartWriter, UploadPart, UploadPartCopy } from './upload-part.operations.js';
import { UploadRepository } from './upload.repository.js';
import { Upload } from './upload.entity.js';

@Feature({
  entities: [Upload],
  providers: [
    AbortMultipartUpload,
    CompleteMultipartUpload,
    CreateMultipartUpload,
    ListMultipartUploads,
    ListParts,
    PartWriter,
    UploadCompletion,
    UploadPart,
    UploadPartCopy,
    UploadRepository,
  ],
})
export class MultipartModule {}
