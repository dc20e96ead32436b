/** What the bodies and queries of Keystone's resources have in common. */
import { applyDecorators } from '@nestjs/common';
import {
  equals,
  textMatches,
  TEXT_MATCHES,
  type Condition,
  type TextMatch,
} from '@cumulet/common/tables/condition';
import { FilteredBy, SortedBy } from '@cumulet/common/tables/listing';
import { camelCase } from '@cumulet/common/tables/names';
import { Reads } from '@cumulet/common/http/read-dto';
import { IntegerField, StringField, type StringFieldOptions } from '@cumulet/common/http/fields';
import { type Extra, ExtraProperties, ReadOnlyField } from './extra-fields.js';

/** Of a resource that keeps no properties but those it knows. */
export class PlainDto {
  @StringField({
    optional: true,
    nullable: true,
    min: 0,
    description: 'Drawn at creation; a change must not name another.',
  })
  id?: string | null;

  @ReadOnlyField()
  links?: unknown;
}

export class ResourceDto extends PlainDto {
  @ExtraProperties()
  extra?: Extra;
}

/** A text that may be left out; null takes it back. */
export function DescriptionField(options: StringFieldOptions = {}): PropertyDecorator {
  return StringField({ optional: true, nullable: true, min: 0, max: 65_535, ...options });
}

/** A name that is kept without the white space around it. */
export function NameField(options: StringFieldOptions = {}): PropertyDecorator {
  return applyDecorators(
    Reads((value) =>
      // What is white space alone stays, to be refused as that.
      typeof value === 'string' ? value.trim() || value : value,
    ),
    StringField({ pattern: /\S/, patternText: 'must hold more than white space', ...options }),
  );
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
 * @param options.sql what the text is, where it is not a column
 */
export function TextFilter({
  sql,
  ...options
}: StringFieldOptions & { readonly sql?: string } = {}): PropertyDecorator {
  return (prototype, key) => {
    const name = String(key);
    const of = (condition: Condition): Condition =>
      sql === undefined ? condition : (bind) => condition(bind, () => sql);
    StringField({ optional: true, ...options })(prototype, key);
    FilteredBy((value: string) => of(equals(camelCase(name), value)))(prototype, key);
    for (const how of Object.keys(TEXT_MATCHES) as TextMatch[]) {
      const part = `${name}__${how}`;
      StringField({ optional: true, min: 0 })(prototype, part);
      FilteredBy((value: string) => of(textMatches(camelCase(name), how, value)))(prototype, part);
    }
  };
}

/** Lists of what has a name. */
@SortedBy(['name'])
export class NamedQuery extends PageQuery {
  @TextFilter()
  name?: string;
}
