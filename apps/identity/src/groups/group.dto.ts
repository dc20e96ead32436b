/** Groups on the wire. Public source: Keystone API reference, "Groups". */
import { StringField } from '@cumulet/common/http/fields';
import { Shown } from '@cumulet/common/http/shown';
import {
  DescriptionField,
  NameField,
  NamedQuery,
  ResourceDto,
  TextFilter,
} from '../resource/resource.dto.js';
import { ResourceView } from '../resource/resource.view.js';

export class ListGroupsQuery extends NamedQuery {
  @TextFilter({ max: 64 })
  domain_id?: string;
}

export class GroupDto extends ResourceDto {
  @NameField()
  name: string;

  @DescriptionField()
  description?: string | null;

  @StringField({ optional: true, max: 64, description: "The caller's unless it is given." })
  domain_id?: string;
}

export class GroupView extends ResourceView {
  @Shown(String, 'Unique in its domain.')
  name: string;

  @Shown(String, 'The domain that owns it.')
  domain_id: string;

  @Shown(String, 'What it is, for people.')
  description: string;
}

export class GroupOfUserView extends GroupView {
  @Shown(String, 'Null: memberships do not end by themselves.', {
    nullable: true,
    from: () => null,
  })
  membership_expires_at: null;
}
