import { BooleanField, StringField } from '@cumulet/common/http/fields';
import { ExtensibleField, ExtraProperties } from '../http/extra-fields.js';
import { InexactFilters } from '../http/inexact-filter.js';
import { PageQuery } from '../http/page.js';
import { ReadOnlyField } from '../http/read-only-field.js';
import type { Extra } from '../http/resource-options.js';

class ServiceFields {
  /** Drawn at creation, whatever is sent; a change must not name another. */
  @StringField({ optional: true, nullable: true })
  id?: string | null;

  @StringField({ optional: true, nullable: true, min: 0 })
  name?: string | null;

  @StringField({ optional: true, nullable: true, min: 0, max: 65_535 })
  description?: string | null;

  /** False takes it out of the catalog. */
  @BooleanField({ optional: true })
  enabled?: boolean;

  @ReadOnlyField()
  links?: unknown;

  @ExtraProperties()
  extra?: Extra;
}

export class CreateServiceDto extends ServiceFields {
  @StringField({ example: 'compute' })
  type: string;
}

export class UpdateServiceDto extends ServiceFields {
  @StringField({ optional: true, example: 'compute' })
  type?: string;
}

export class CreateServiceBody {
  @ExtensibleField(() => CreateServiceDto)
  service: CreateServiceDto;
}

export class UpdateServiceBody {
  @ExtensibleField(() => UpdateServiceDto)
  service: UpdateServiceDto;
}

@InexactFilters('type', 'name')
export class ListServicesQuery extends PageQuery {
  @StringField({ optional: true })
  type?: string;

  @StringField({ optional: true })
  name?: string;
}
