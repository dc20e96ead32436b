/** Public source: Image API reference, "Sharing". */
import type { ProjectId } from '@cumulet/common/context/ids';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { EnumField, StringField } from '@cumulet/common/http/fields';
import { IgnoresOthers } from '@cumulet/common/http/read-dto';
import { answerClass, Shown, viewOf } from '@cumulet/common/http/shown';
import { shownOnly } from '@cumulet/common/resources/attribute';
import { answerOf, rowOf as columnsOf } from '@cumulet/common/resources/classes';
import { choice, id, text } from '@cumulet/common/resources/field-type';
import { rowOf, type Key } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { Check, Entity, ForeignKey, Index } from 'typeorm';
import { SchemaPath } from '../../http/schema.view.js';
import { UUID_PATTERN } from '../image.attributes.js';
import { Image, type ImageId } from '../image.entity.js';
import { timestamp, TIMES } from '../timestamp.js';

export const MEMBER_STATUSES = ['pending', 'accepted', 'rejected'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

const PRIMARY = { primary: true, primaryKeyConstraintName: 'image_members_pkey' };

const MEMBER = {
  ...TIMES,
  imageId: shownOnly(id<ImageId>(), {
    about: 'The ID of the image.',
    schema: { pattern: UUID_PATTERN },
    column: PRIMARY,
  }),
  memberId: shownOnly(text<ProjectId>(), {
    about: 'The ID of the project that the image is shared with.',
    column: PRIMARY,
  }),
  status: shownOnly(choice(MEMBER_STATUSES), {
    about: 'Whether the project accepts the image, and so sees it in its lists.',
    column: { default: 'pending' },
  }),
} as const;

/** A project that an image is shared with. */
@Entity('image_members')
@Index('image_members_member', ['memberId', 'status'])
@ForeignKey(() => Image, ['imageId'], ['id'], {
  name: 'image_members_image_id_fkey',
  onDelete: 'CASCADE',
})
@Check('image_members_status', `status IN ('pending', 'accepted', 'rejected')`)
export class ImageMember extends columnsOf(MEMBER) {}

@IgnoresOthers()
export class NewMemberDto {
  @StringField({ description: MEMBER.memberId.about })
  member: ProjectId;
}

@IgnoresOthers()
export class MemberStatusDto {
  @EnumField(MEMBER_STATUSES, { description: MEMBER.status.about })
  status: MemberStatus;
}

export class MemberView extends answerOf(MEMBER, { schema: SchemaPath('member') }) {}

export const MemberList = answerClass('MemberList', {
  members: Shown([() => MemberView], 'The projects that the image is shared with, oldest first.'),
  schema: SchemaPath('members'),
});

export const memberView = viewOf<ImageMember, MemberView>(MemberView, timestamp);

export function noMember(key: Key<ImageMember>): DomainError {
  const { imageId = '', memberId = '' } = rowOf(key);
  return new DomainError('not-found', `Image ${imageId} has no member '${memberId}'.`);
}

export const imageMembers = new Table(ImageMember, {
  missing: noMember,
  refusals: {
    image_members_pkey: ({ imageId = '', memberId = '' }) =>
      new DomainError('conflict', `Image ${imageId} has the member '${memberId}' already.`),
  },
  touched: 'updatedAt',
});
