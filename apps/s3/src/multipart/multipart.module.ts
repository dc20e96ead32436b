/** Multipart uploads. */
import { Feature } from '@cumulet/common/service/feature';
import { Part } from './part.entity.js';
import { Upload } from './upload.entity.js';

@Feature({ entities: [Part, Upload] })
export class MultipartModule {}
