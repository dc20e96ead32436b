/** Groups on the wire. Public source: Keystone API reference, "Groups". */
import type { Group } from './group.entity.js';

export function groupView(group: Group, baseUrl: string): object {
  return {
    ...group.extra,
    id: group.id,
    name: group.name,
    domain_id: group.domainId,
    description: group.description,
    links: { self: `${baseUrl}/v3/groups/${group.id}` },
  };
}

/** A group as one that a user is in; memberships do not end by themselves. */
export function groupOfUserView(group: Group, baseUrl: string): object {
  return { ...groupView(group, baseUrl), membership_expires_at: null };
}
