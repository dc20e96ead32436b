/** Members as clients read them. Public source: Image API reference, "Sharing". */
import { timestamp } from '../images/timestamp.js';
import type { ImageMember } from './member.entity.js';

export interface MemberView {
  readonly member_id: string;
  readonly image_id: string;
  readonly status: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly schema: string;
}

export interface MemberListView {
  readonly members: readonly MemberView[];
  readonly schema: string;
}

export function memberView(member: ImageMember): MemberView {
  return {
    member_id: member.memberId,
    image_id: member.imageId,
    status: member.status,
    created_at: timestamp(member.createdAt),
    updated_at: timestamp(member.updatedAt),
    schema: '/v2/schemas/member',
  };
}

export function memberListView(members: readonly ImageMember[]): MemberListView {
  return { members: members.map(memberView), schema: '/v2/schemas/members' };
}
