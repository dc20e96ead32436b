/** Services on the wire. Public source: Keystone API reference, "Service catalog and endpoints". */
import { BooleanField, StringField } from '@cumulet/common/http/fields';
import { Shown } from '@cumulet/common/http/shown';
import { SortedBy } from '@cumulet/common/tables/listing';
import { DescriptionField, PageQuery, ResourceDto, TextFilter } from '../resource/resource.dto.js';
import { ResourceView } from '../resource/resource.view.js';

export class CreateServiceDto extends ResourceDto {
  @StringField({ example: 'compute' })
  type: string;

  @StringField({ optional: true, nullable: true, min: 0 })
  name?: string | null;

  @DescriptionField()
  description?: string | null;

  @BooleanField({ optional: true, description: 'False takes it out of the catalog.' })
  enabled?: boolean;
}

@SortedBy(['type', 'name'])
export class ListServicesQuery extends PageQuery {
  @TextFilter()
  type?: string;

  @TextFilter()
  name?: string;
}

export class ServiceView extends ResourceView {
  @Shown(String, 'What clients look for in the catalog.', { example: 'compute' })
  type: string;

  @Shown(String, 'What people call it.', { example: 'nova' })
  name: string;

  @Shown(String, 'What it is, for people.')
  description: string;

  @Shown(Boolean, 'Whether it is in the catalog.')
  enabled: boolean;
}
