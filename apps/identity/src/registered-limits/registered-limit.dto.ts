import { ArrayMinSize } from 'class-validator';
import { IntegerField, ListField, ObjectField, StringField } from '@cumulet/common/http/fields';
import { InexactFilters } from '../http/inexact-filter.js';
import { PageQuery } from '../http/page.js';

/** What a limit is of. */
const ID = { max: 64 } as const;
const REGION = { optional: true, nullable: true } as const;
const RESOURCE = { pattern: /\S/, patternText: 'must not be blank', example: 'volumes' } as const;
/** -1 is without an end. */
const LIMIT = { min: -1 } as const;
const DESCRIPTION = { optional: true, nullable: true, min: 0 } as const;

export class CreateRegisteredLimitDto {
  @StringField(ID)
  service_id: string;

  @StringField(REGION)
  region_id?: string | null;

  @StringField(RESOURCE)
  resource_name: string;

  @IntegerField(LIMIT)
  default_limit: number;

  @StringField(DESCRIPTION)
  description?: string | null;
}

export class CreateRegisteredLimitsBody {
  @ListField(() => CreateRegisteredLimitDto)
  @ArrayMinSize(1)
  registered_limits: CreateRegisteredLimitDto[];
}

export class UpdateRegisteredLimitDto {
  @StringField({ ...ID, optional: true })
  service_id?: string;

  @StringField(REGION)
  region_id?: string | null;

  @StringField({ ...RESOURCE, optional: true })
  resource_name?: string;

  @IntegerField({ ...LIMIT, optional: true })
  default_limit?: number;

  @StringField(DESCRIPTION)
  description?: string | null;
}

export class UpdateRegisteredLimitBody {
  @ObjectField(() => UpdateRegisteredLimitDto)
  registered_limit: UpdateRegisteredLimitDto;
}

@InexactFilters('service_id', 'region_id', 'resource_name')
export class ListRegisteredLimitsQuery extends PageQuery {
  @StringField({ optional: true })
  service_id?: string;

  @StringField({ optional: true })
  region_id?: string;

  @StringField({ optional: true })
  resource_name?: string;
}
