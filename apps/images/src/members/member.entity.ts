import type { ProjectId } from '@cumulet/common/context/ids';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Image, type ImageId } from '../images/image.entity.js';

export const MEMBER_STATUSES = ['pending', 'accepted', 'rejected'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

const KEY = 'image_members_pkey';

/** A project that an image is shared with. */
@Entity('image_members')
@Index('image_members_member', ['memberId', 'status'])
@Check('image_members_status', `status IN ('pending', 'accepted', 'rejected')`)
export class ImageMember {
  @PrimaryColumn('uuid', { name: 'image_id', primaryKeyConstraintName: KEY })
  @ForeignKey(() => Image, { name: 'image_members_image_id_fkey', onDelete: 'CASCADE' })
  imageId: ImageId;

  /** The project's id. */
  @PrimaryColumn('text', { name: 'member_id', primaryKeyConstraintName: KEY })
  memberId: ProjectId;

  /** Whether the project wants to see the image in its lists. */
  @Column('text', { default: 'pending' })
  status: MemberStatus;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt: Date;
}
