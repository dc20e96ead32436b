import { StringField } from '@cumulet/common/http/fields';

export class ListRolesQuery {
  @StringField({ optional: true })
  name?: string;
}
