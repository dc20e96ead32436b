import { BooleanField, StringField } from '@cumulet/common/http/fields';

export class ListUsersQuery {
  @StringField({ optional: true })
  name?: string;

  @StringField({ optional: true, max: 64 })
  domain_id?: string;

  @BooleanField({ optional: true, fromText: true })
  enabled?: boolean;
}
