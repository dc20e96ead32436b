/** Limits, and the registered ones that they override, on the wire. Public source: Keystone API reference, "Unified Limits". */
import { IntegerField, StringField } from '@cumulet/common/http/fields';
import { Shown } from '@cumulet/common/http/shown';
import { SortedBy } from '@cumulet/common/tables/listing';
import { PageQuery, TextFilter } from '../resource/resource.dto.js';
import { LinksView } from '../resource/resource.view.js';
import { registered } from './limit.entity.js';

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

export class UpdateLimitDto {
  @IntegerField({ min: -1, optional: true, description: '-1 is no limit.' })
  resource_limit?: number;

  @StringField({ optional: true, nullable: true, min: 0 })
  description?: string | null;
}

export class CreateLimitDto {
  @StringField({ max: 64, optional: true, nullable: true })
  project_id?: string | null;

  @StringField({ max: 64, optional: true, nullable: true })
  domain_id?: string | null;

  @StringField({ max: 64 })
  service_id: string;

  @StringField({ optional: true, nullable: true })
  region_id?: string | null;

  @StringField({ example: 'volumes' })
  resource_name: string;

  @IntegerField({ min: -1, description: '-1 is no limit.' })
  resource_limit: number;

  @StringField({ optional: true, nullable: true, min: 0 })
  description?: string | null;
}

@SortedBy(['createdAt'])
export class ListLimitsQuery extends PageQuery {
  @TextFilter({ sql: registered('service_id') })
  service_id?: string;

  @TextFilter({ sql: registered('region_id') })
  region_id?: string;

  @TextFilter({ sql: registered('resource_name') })
  resource_name?: string;

  @TextFilter()
  project_id?: string;

  @TextFilter()
  domain_id?: string;
}

export class LimitView {
  @Shown(String, 'Its id.')
  id: string;

  @Shown(String, 'The project that it limits, unless it limits a domain.', { nullable: true })
  project_id: string | null;

  @Shown(String, 'The domain that it limits, unless it limits a project.', { nullable: true })
  domain_id: string | null;

  @Shown(String, 'The service whose resource it limits.')
  service_id: string;

  @Shown(String, 'The region that it holds in; null for one of all regions.', { nullable: true })
  region_id: string | null;

  @Shown(String, 'What it limits.', { example: 'volumes' })
  resource_name: string;

  @Shown('integer', 'How many there may be; -1 is no limit.')
  resource_limit: number;

  @Shown(String, 'What it is, for people.', { nullable: true })
  description: string | null;

  @Shown(() => LinksView, 'Where it is found.')
  links: LinksView;
}

class LimitModelView {
  @Shown(String, 'What Keystone calls it.', { enum: ['flat'] })
  name: string;

  @Shown(String, 'What it means.')
  description: string;
}

export class LimitModelBody {
  @Shown(() => LimitModelView, 'How limits of a project relate to those of the projects above it.')
  model: LimitModelView;
}
