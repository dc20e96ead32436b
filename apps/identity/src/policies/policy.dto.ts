/** Policies on the wire. Public source: Keystone API reference, "Policies". */
import { StringField } from '@cumulet/common/http/fields';
import { Shown } from '@cumulet/common/http/shown';
import { PageQuery, ResourceDto, TextFilter } from '../resource/resource.dto.js';
import { ResourceView } from '../resource/resource.view.js';

export class CreatePolicyDto extends ResourceDto {
  @StringField({ example: 'application/json' })
  type: string;

  @StringField({ min: 0, max: 1_048_576 })
  blob: string;
}

export class ListPoliciesQuery extends PageQuery {
  @TextFilter()
  type?: string;
}

export class PolicyView extends ResourceView {
  @Shown(String, 'The media type of the blob.')
  type: string;

  @Shown(String, 'The rules, as the service reads them.')
  blob: string;
}
