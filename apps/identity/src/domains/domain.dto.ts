import { BooleanField, StringField } from '@cumulet/common/http/fields';

export class ListDomainsQuery {
  @StringField({ optional: true })
  name?: string;

  @BooleanField({ optional: true, fromText: true })
  enabled?: boolean;
}
