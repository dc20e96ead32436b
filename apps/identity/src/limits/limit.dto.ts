import { ArrayMinSize } from 'class-validator';
import { IntegerField, ListField, ObjectField, StringField } from '@cumulet/common/http/fields';
import { InexactFilters } from '../http/inexact-filter.js';
import { ListRegisteredLimitsQuery } from '../registered-limits/registered-limit.dto.js';

const ID = { max: 64 } as const;
/** -1 is without an end. */
const LIMIT = { min: -1 } as const;
const DESCRIPTION = { optional: true, nullable: true, min: 0 } as const;

export class CreateLimitDto {
  @StringField({ ...ID, optional: true, nullable: true })
  project_id?: string | null;

  @StringField({ ...ID, optional: true, nullable: true })
  domain_id?: string | null;

  @StringField(ID)
  service_id: string;

  @StringField({ optional: true, nullable: true })
  region_id?: string | null;

  @StringField({ example: 'volumes' })
  resource_name: string;

  @IntegerField(LIMIT)
  resource_limit: number;

  @StringField(DESCRIPTION)
  description?: string | null;
}

export class CreateLimitsBody {
  @ListField(() => CreateLimitDto)
  @ArrayMinSize(1)
  limits: CreateLimitDto[];
}

export class UpdateLimitDto {
  @IntegerField({ ...LIMIT, optional: true })
  resource_limit?: number;

  @StringField(DESCRIPTION)
  description?: string | null;
}

export class UpdateLimitBody {
  @ObjectField(() => UpdateLimitDto)
  limit: UpdateLimitDto;
}

@InexactFilters('project_id', 'domain_id')
export class ListLimitsQuery extends ListRegisteredLimitsQuery {
  @StringField({ optional: true })
  project_id?: string;

  @StringField({ optional: true })
  domain_id?: string;
}
