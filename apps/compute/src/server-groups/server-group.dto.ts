/** Server groups on the wire. Public source: Nova API reference, "Server groups (os-server-groups)". */
import {
  CheckedField,
  EnumField,
  IntegerField,
  ObjectField,
  StringField,
} from '@cumulet/common/http/fields';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { POLICIES, type Policy, type ServerGroup } from './server-group.entity.js';

export class ListServerGroupsQuery {
  @StringField({ optional: true, min: 0, description: 'For administrators: of all projects.' })
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
    description: 'How many of its servers may share a host.',
  })
  max_server_per_host?: number;
}

export class CreateServerGroupDto {
  @StringField({
    pattern: /^(?=\S)[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+(?<=\S)$/u,
    patternText: 'must hold printable characters, without a space at either end',
  })
  name: string;

  @CheckedField(
    (value) => Array.isArray(value) && value.length === 1 && POLICIES.includes(value[0] as Policy),
    `must be a list of one of ${POLICIES.join(', ')}`,
    { type: 'array', items: { type: 'string', enum: [...POLICIES] }, minItems: 1, maxItems: 1 },
    { optional: true, description: 'Until 2.63; the soft ones since 2.15.' },
  )
  policies?: [Policy];

  @EnumField(POLICIES, { optional: true, description: 'Since 2.64.' })
  policy?: Policy;

  @ObjectField(() => ServerGroupRules, { optional: true, description: 'Since 2.64.' })
  rules?: ServerGroupRules;
}

export class CreateServerGroupBody {
  @ObjectField(() => CreateServerGroupDto)
  server_group: CreateServerGroupDto;
}

const RULES = {
  properties: { max_server_per_host: { type: 'integer' } },
  additionalProperties: false,
} as const;

export class ServerGroupView {
  @Shown(String, 'Its id.')
  id: string;

  @Shown(String, 'Its name.')
  name: string;

  @Shown<ServerGroup>([String], 'Its policy.', { until: 63, from: ({ policy }) => [policy] })
  policies?: string[];

  @Shown<ServerGroup>(Object, 'Empty.', {
    until: 63,
    from: () => ({}),
    schema: { maxProperties: 0 },
  })
  metadata?: object;

  @Shown(String, 'Its policy.', { since: 64, enum: POLICIES })
  policy?: string;

  @Shown<ServerGroup>(Object, 'The rules of its policy.', {
    since: 64,
    from: ({ maxPerHost }) => (maxPerHost === null ? {} : { max_server_per_host: maxPerHost }),
    schema: RULES,
  })
  rules?: object;

  @Shown([String], 'Its servers.')
  members: string[];

  @Shown(String, 'Its project.', { since: 13 })
  project_id?: string;

  @Shown(String, 'Who created it.', { since: 13 })
  user_id?: string;
}

export const ServerGroupList = answerClass('ServerGroupList', {
  server_groups: Shown([() => ServerGroupView], 'The server groups.'),
});
