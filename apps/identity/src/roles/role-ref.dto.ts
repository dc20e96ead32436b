import { StringField } from '@cumulet/common/http/fields';

/** A role by its id or by its name, by one of them. */
export class RoleRefDto {
  @StringField({ optional: true, max: 64 })
  id?: string;

  @StringField({ optional: true })
  name?: string;
}
