/** Registered limits on the wire. Public source: Keystone API reference, "Unified Limits". */
import { IntegerField, StringField } from '@cumulet/common/http/fields';
import { Shown } from '@cumulet/common/http/shown';
import { SortedBy } from '@cumulet/common/tables/listing';
import { PageQuery, TextFilter } from '../resource/resource.dto.js';
import { LinksView } from '../resource/resource.view.js';

export class CreateRegisteredLimitDto {
  @StringField({ max: 64 })
  service_id: string;

  @StringField({ optional: true, nullable: true })
  region_id?: string | null;

  @StringField({ pattern: /\S/, patternText: 'must not be blank', example: 'volumes' })
  resource_name: string;

  @IntegerField({ min: -1, description: 'For each project; -1 is no limit.' })
  default_limit: number;

  @StringField({ optional: true, nullable: true, min: 0 })
  description?: string | null;
}

@SortedBy(['serviceId', 'resourceName', 'regionId'])
export class ListRegisteredLimitsQuery extends PageQuery {
  @TextFilter()
  service_id?: string;

  @TextFilter()
  region_id?: string;

  @TextFilter()
  resource_name?: string;
}

export class RegisteredLimitView {
  @Shown(String, 'Its id.')
  id: string;

  @Shown(String, 'The service whose resource it limits.')
  service_id: string;

  @Shown(String, 'The region that it holds in; null for one of all regions.', { nullable: true })
  region_id: string | null;

  @Shown(String, 'What it limits.', { example: 'volumes' })
  resource_name: string;

  @Shown('integer', 'How many a project may have; -1 is no limit.')
  default_limit: number;

  @Shown(String, 'What it is, for people.', { nullable: true })
  description: string | null;

  @Shown(() => LinksView, 'Where it is found.')
  links: LinksView;
}
