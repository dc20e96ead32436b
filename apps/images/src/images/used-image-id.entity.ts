import type { Id } from '@cumulet/common/context/ids';
import { Entity, PrimaryColumn } from 'typeorm';

/**
 * A row of `used_image_ids`: an id that an image has, or had before it was deleted.
 *
 * Always holds: no row is ever changed or removed. Who knows an id means one image by it, and no
 * other project may put its own in that place (OSSN-0075).
 */
@Entity('used_image_ids')
export class UsedImageId {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'used_image_ids_pkey' })
  id: Id<'Image'>;
}
