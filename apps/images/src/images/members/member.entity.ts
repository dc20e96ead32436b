import type { ProjectId } from '@cumulet/common/context/ids';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { rowOf, type Key } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Image, type ImageId } from '../image.entity.js';
import { TimestampColumns } from '../timestamp.js';

export const MEMBER_STATUSES = ['pending', 'accepted', 'rejected'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

const KEY = 'image_members_pkey';

/** A project that an image is shared with. */
@Entity('image_members')
@Index('image_members_member', ['memberId', 'status'])
@Check('image_members_status', `status IN ('pending', 'accepted', 'rejected')`)
export class ImageMember extends TimestampColumns {
  @PrimaryColumn('uuid', { name: 'image_id', primaryKeyConstraintName: KEY })
  @ForeignKey(() => Image, { name: 'image_members_image_id_fkey', onDelete: 'CASCADE' })
  imageId: ImageId;

  /** The project's id. */
  @PrimaryColumn('text', { name: 'member_id', primaryKeyConstraintName: KEY })
  memberId: ProjectId;

  /** Whether the project wants to see the image in its lists. */
  @Column('text', { default: 'pending' })
  status: MemberStatus;
}

export function noMember(key: Key<ImageMember>): DomainError {
  const { imageId = '', memberId = '' } = rowOf(key);
  return new DomainError('not-found', `Image ${imageId} has no member '${memberId}'.`);
}

export const imageMembers = new Table(ImageMember, {
  missing: noMember,
  refusals: {
    [KEY]: ({ imageId = '', memberId = '' }) =>
      new DomainError('conflict', `Image ${imageId} has the member '${memberId}' already.`),
  },
  touched: 'updatedAt',
});
