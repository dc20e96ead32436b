/** Members on the wire. Public source: Image API reference, "Sharing". */
import type { ProjectId } from '@cumulet/common/context/ids';
import { EnumField, StringField } from '@cumulet/common/http/fields';
import { IgnoresOthers } from '@cumulet/common/http/read-dto';
import { Shown, viewOf } from '@cumulet/common/http/shown';
import { UUID_PATTERN } from '../image.attributes.js';
import { timestamp, TimestampsView } from '../timestamp.js';
import { SchemaPath } from '../../http/schema.view.js';
import { MEMBER_STATUSES, type ImageMember, type MemberStatus } from './member.entity.js';

@IgnoresOthers()
export class NewMemberDto {
  @StringField({ description: 'The id of the project that the image is shared with.' })
  member: ProjectId;
}

@IgnoresOthers()
export class MemberStatusDto {
  @EnumField(MEMBER_STATUSES, { description: 'Whether the project takes the image.' })
  status: MemberStatus;
}

export class MemberView extends TimestampsView {
  @Shown(String, 'The project that the image is shared with.')
  member_id: string;

  @Shown(String, 'The image that is shared.', { schema: { pattern: UUID_PATTERN } })
  image_id: string;

  @Shown(String, 'Whether the project takes the image.', { enum: MEMBER_STATUSES })
  status: MemberStatus;

  @SchemaPath('member')
  schema: string;
}

export class MemberList {
  @Shown([() => MemberView], 'The projects that the image is shared with, the oldest first.')
  members: MemberView[];

  @SchemaPath('members')
  schema: string;
}

export const memberView = viewOf<ImageMember, MemberView>(MemberView, timestamp);
