import { BooleanField, EnumField, StringField } from '@cumulet/common/http/fields';

const ID = { optional: true, max: 64 } as const;
/** The bare name means true, as in Keystone. */
const FLAG = { optional: true, fromText: true, bareIsTrue: true } as const;

export class ListRoleAssignmentsQuery {
  @StringField(ID)
  'user.id'?: string;

  @StringField(ID)
  'group.id'?: string;

  @StringField(ID)
  'role.id'?: string;

  @StringField(ID)
  'scope.project.id'?: string;

  @StringField(ID)
  'scope.domain.id'?: string;

  @EnumField(['all'], { optional: true })
  'scope.system'?: 'all';

  @EnumField(['projects'], { optional: true })
  'scope.OS-INHERIT:inherited_to'?: 'projects';

  @BooleanField({
    ...FLAG,
    description:
      'Whether to list members instead of groups, with inherited and implied roles where they hold.',
  })
  effective?: boolean;

  @BooleanField({ ...FLAG, description: 'Whether to show names beside IDs.' })
  include_names?: boolean;

  @BooleanField({
    ...FLAG,
    description: 'With scope.project.id, whether to include the projects below it.',
  })
  include_subtree?: boolean;
}
