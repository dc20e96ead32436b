/** The bytes of objects. */
import { Feature } from '@cumulet/common/service/feature';
import { PartRepository } from './part.repository.js';
import { ContentReader } from './content-reader.js';
import { ContentWriter } from './content-writer.js';
import { Part } from './part.entity.js';
import { ContentKeys } from './encryption/content-keys.js';

@Feature({
  entities: [Part],
  providers: [ContentKeys, ContentReader, ContentWriter, PartRepository],
})
export class ContentModule {}
