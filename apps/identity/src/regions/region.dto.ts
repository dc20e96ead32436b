import { StringField } from '@cumulet/common/http/fields';
import { ExtensibleField, ExtraProperties } from '../http/extra-fields.js';
import { InexactFilters } from '../http/inexact-filter.js';
import { PageQuery } from '../http/page.js';
import { ReadOnlyField } from '../http/read-only-field.js';
import type { Extra } from '../http/resource-options.js';

export class RegionDto {
  /** Chosen by the client; drawn where it is left out or empty. A change must not name another. */
  @StringField({ optional: true, nullable: true, min: 0 })
  id?: string | null;

  @StringField({ optional: true, nullable: true, min: 0 })
  description?: string | null;

  @StringField({ optional: true, nullable: true })
  parent_region_id?: string | null;

  @ReadOnlyField()
  links?: unknown;

  @ExtraProperties()
  extra?: Extra;
}

export class RegionBody {
  @ExtensibleField(() => RegionDto)
  region: RegionDto;
}

@InexactFilters('parent_region_id')
export class ListRegionsQuery extends PageQuery {
  @StringField({ optional: true })
  parent_region_id?: string;
}
