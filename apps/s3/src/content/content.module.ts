/** The bytes of objects. */
import { Feature } from '@cumulet/common/service/feature';
import { ContentPartsRepository } from './content-parts.repository.js';
import { ContentReader } from './content-reader.js';
import { ContentService } from './content.service.js';
import { ContentWriter } from './content-writer.js';
import { ContentKeys } from './encryption/content-keys.js';

@Feature({
  providers: [ContentKeys, ContentPartsRepository, ContentReader, ContentService, ContentWriter],
})
export class ContentModule {}
