import { EnumField, StringField } from '@cumulet/common/http/fields';
import { MEMBER_STATUSES, type MemberStatus } from './member.entity.js';

/** Public source: Image API reference, "Create image member". */
export class NewMemberDto {
  @StringField({ description: 'The id of the project that the image is shared with.' })
  member: string;
}

/** Public source: Image API reference, "Update image member". */
export class MemberStatusDto {
  @EnumField(MEMBER_STATUSES, { description: 'Whether the project takes the image.' })
  status: MemberStatus;

  @StringField({ optional: true, description: 'Sent by openstacksdk; the path says which member.' })
  member?: string;
}
