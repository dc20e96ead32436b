import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An image that was made of a server which needs it no more, or is gone. */
@Entity('left_images')
export class LeftImage {
  @PrimaryColumn('uuid', { name: 'image_id', primaryKeyConstraintName: 'left_images_pkey' })
  imageId: string;

  /** Whether it goes also where it is whole. */
  @Column('boolean', { name: 'is_shelved' })
  isShelved: boolean;

  /** When the images service last did not remove it. */
  @Column('timestamptz', { name: 'tried_at', nullable: true })
  triedAt: Date | null;
}
