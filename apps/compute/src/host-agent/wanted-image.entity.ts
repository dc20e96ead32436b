import { Entity, PrimaryColumn } from 'typeorm';

/** An image that a host is to cache before a server needs it there. */
@Entity('wanted_images')
export class WantedImage {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'wanted_images_pkey' })
  host: string;

  @PrimaryColumn('uuid', { name: 'image_id', primaryKeyConstraintName: 'wanted_images_pkey' })
  imageId: string;
}
