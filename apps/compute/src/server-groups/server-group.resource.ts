/** Public source: Nova API reference, "Server groups (os-server-groups)". */
import { Check, Entity, ForeignKey, Index } from 'typeorm';
import type { ProjectId } from '@cumulet/common/context/ids';
import {
  CheckedField,
  EnumField,
  IntegerField,
  ObjectField,
  StringField,
} from '@cumulet/common/http/fields';
import { allUnder } from '@cumulet/common/http/answers';
import { Shown } from '@cumulet/common/http/shown';
import { internal, shownOnly } from '@cumulet/common/resources/attribute';
import { answerOf, rowOf } from '@cumulet/common/resources/classes';
import { choice, id, integer, orNull, text, texts } from '@cumulet/common/resources/field-type';
import { bodyUnder, TRIMMED } from '../http/fields.js';
import { instant } from '../http/times.js';
import { Server } from '../servers/server.entity.js';

export const HARD_POLICIES = ['affinity', 'anti-affinity'] as const;
export const POLICIES = [...HARD_POLICIES, 'soft-affinity', 'soft-anti-affinity'] as const;
export type Policy = (typeof POLICIES)[number];

const SERVER_GROUP = {
  id: shownOnly(id(), {
    about: 'The ID of the server group.',
    column: { primary: true, primaryKeyConstraintName: 'server_groups_pkey' },
  }),
  projectId: shownOnly(text<ProjectId>(), {
    about: 'The ID of the project that owns the group.',
    versions: { since: 13 },
  }),
  userId: shownOnly(text(), {
    about: 'The ID of the user who created the group.',
    versions: { since: 13 },
  }),
  name: shownOnly(text(), { about: 'The name of the group.' }),
  policy: shownOnly(choice(POLICIES), {
    about: 'The policy of the group.',
    versions: { since: 64 },
  }),
  /** Limits its servers on one host, under the policy anti-affinity. */
  maxPerHost: internal(orNull(integer())),
  createdAt: internal(instant, { default: () => 'now()' }),
  members: shownOnly(texts, {
    about: 'The IDs of the servers in the group.',
    virtual: () =>
      `ARRAY(SELECT server_id::text FROM server_group_members WHERE group_id = server_groups.id
              ORDER BY server_id)`,
  }),
} as const;

/** Servers of a project that are to share a host, or not to. */
@Entity('server_groups')
@Index('server_groups_project_idx', ['projectId'])
@Check('server_groups_policy_check', `policy IN (${POLICIES.map((one) => `'${one}'`).join(', ')})`)
@Check(
  'server_groups_rules_check',
  `max_per_host IS NULL OR (max_per_host > 0 AND policy = 'anti-affinity')`,
)
export class ServerGroup extends rowOf(SERVER_GROUP) {}

/** A server is in one group at most; its row goes with the server's. */
@Entity('server_group_members')
@Index('server_group_members_group_idx', ['groupId'])
@ForeignKey(() => Server, ['serverId'], ['id'], {
  name: 'server_group_members_server_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => ServerGroup, ['groupId'], ['id'], {
  name: 'server_group_members_group_fkey',
  onDelete: 'CASCADE',
})
export class ServerGroupMember extends rowOf({
  serverId: internal(id(), {
    primary: true,
    primaryKeyConstraintName: 'server_group_members_pkey',
  }),
  groupId: internal(id()),
}) {}

export class ServerGroupView extends answerOf(SERVER_GROUP, {
  policies: Shown<ServerGroup>([String], 'The policy of the group.', {
    until: 63,
    from: ({ policy }) => [policy],
  }),
  metadata: Shown(Object, 'Always empty.', {
    until: 63,
    from: () => ({}),
    schema: { maxProperties: 0 },
  }),
  rules: Shown<ServerGroup>(Object, 'The rules of the policy.', {
    since: 64,
    from: ({ maxPerHost }) => (maxPerHost === null ? {} : { max_server_per_host: maxPerHost }),
    schema: {
      properties: { max_server_per_host: { type: 'integer' } },
      additionalProperties: false,
    },
  }),
}) {}

export const ServerGroupList = allUnder('server_groups', ServerGroupView);

export class ListServerGroupsQuery {
  @StringField({
    optional: true,
    min: 0,
    description: 'Lists the groups of all projects; only for administrators.',
  })
  all_projects?: string;

  @IntegerField({ optional: true, fromText: true })
  limit?: number;

  @IntegerField({ optional: true, fromText: true })
  offset?: number;
}

class ServerGroupRules {
  @IntegerField({
    optional: true,
    fromText: true,
    min: 1,
    description: 'The number of servers in the group that may share a host.',
  })
  max_server_per_host?: number;
}

export class CreateServerGroupDto {
  @StringField(TRIMMED)
  name: string;

  @CheckedField(
    (value) => Array.isArray(value) && value.length === 1 && POLICIES.includes(value[0] as Policy),
    `must be a list of one of ${POLICIES.join(', ')}`,
    { type: 'array', items: { type: 'string', enum: [...POLICIES] }, minItems: 1, maxItems: 1 },
    { optional: true, description: 'Until 2.63; the soft policies since 2.15.' },
  )
  policies?: [Policy];

  @EnumField(POLICIES, { optional: true, description: 'Since 2.64.' })
  policy?: Policy;

  @ObjectField(() => ServerGroupRules, { optional: true, description: 'Since 2.64.' })
  rules?: ServerGroupRules;
}

export class CreateServerGroupBody extends bodyUnder('server_group', CreateServerGroupDto) {}
