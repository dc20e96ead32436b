/** Regions on the wire. Public source: Keystone API reference, "Regions". */
import { Shown } from '@cumulet/common/http/shown';
import { StringField } from '@cumulet/common/http/fields';
import {
  DescriptionField,
  ExtensibleField,
  PageQuery,
  ResourceDto,
  TextFilter,
} from '../resource/resource.dto.js';
import { ResourceView } from '../resource/resource.view.js';

/** Its id may be chosen by the client, in the body or in the path. */
export class RegionDto extends ResourceDto {
  @DescriptionField({ max: 255 })
  description?: string | null;

  @StringField({ optional: true, nullable: true })
  parent_region_id?: string | null;
}

export class RegionBody {
  @ExtensibleField(() => RegionDto)
  region: RegionDto;
}

export class ListRegionsQuery extends PageQuery {
  @TextFilter()
  parent_region_id?: string;
}

export class RegionView extends ResourceView {
  @Shown(String, 'What it is, for people.')
  description: string;

  @Shown(String, 'The region that it is a part of.', { nullable: true })
  parent_region_id: string | null;
}
