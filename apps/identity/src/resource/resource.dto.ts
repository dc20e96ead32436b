/** What the bodies and queries of Keystone's resources have in common. */
import { textMatches, TEXT_MATCHES, type TextMatch } from '@cumulet/common/tables/condition';
import { FilteredBy } from '@cumulet/common/tables/listing';
import { camelCase } from '@cumulet/common/http/names';
import { IntegerField, StringField, type StringFieldOptions } from '@cumulet/common/http/fields';
import { ExtraProperties } from '../http/extra-fields.js';
import { ReadOnlyField } from '../http/read-only-field.js';
import type { Extra } from '../http/resource-options.js';

export class ResourceDto {
  @StringField({
    optional: true,
    nullable: true,
    min: 0,
    description: 'Drawn at creation; a change must not name another.',
  })
  id?: string | null;

  @ReadOnlyField()
  links?: unknown;

  @ExtraProperties()
  extra?: Extra;
}

/** A text that may be left out; null takes it back. */
export function DescriptionField(options: StringFieldOptions = {}): PropertyDecorator {
  return StringField({ optional: true, nullable: true, min: 0, max: 65_535, ...options });
}

/** Pages of a list. Public source: Keystone API reference, "List users", `limit` and `marker`. */
export class PageQuery {
  @IntegerField({
    optional: true,
    fromText: true,
    min: 1,
    description: 'Rows on the page, at most 1000; without it the list is whole.',
  })
  limit?: number;

  @StringField({ optional: true, description: 'The id of the last row of the page before.' })
  marker?: string;
}

/**
 * Filters a list by a text: by all of it, or by a part (`name__icontains=web`). Public source:
 * Keystone's source, `keystone/server/flask/common.py`, on inexact filters.
 */
export function TextFilter(options: StringFieldOptions = {}): PropertyDecorator {
  return (prototype, key) => {
    const name = String(key);
    const property = camelCase(name);
    StringField({ optional: true, ...options })(prototype, key);
    FilteredBy()(prototype, key);
    for (const how of Object.keys(TEXT_MATCHES) as TextMatch[]) {
      const part = `${name}__${how}`;
      StringField({ optional: true, min: 0 })(prototype, part);
      FilteredBy((value: string) => textMatches(property, how, value))(prototype, part);
    }
  };
}
