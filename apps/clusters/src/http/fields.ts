/** Magnum's field types. Null equals absence: Magnum's client sends it for fields not given. */
import { StringField } from '@cumulet/common/http/fields';
import * as types from '@cumulet/common/resources/field-type';
import type { FieldType } from '@cumulet/common/resources/field-type';

interface Range {
  readonly min: number;
  readonly max?: number;
}

/** An integer, also as a string of digits. */
export function count({ min, max = 1_000_000 }: Range): FieldType<number> {
  return types.integer({ fromText: true, min, max });
}

/** A boolean, also in OpenStack's spellings. */
export const flag = types.flag({ fromText: true });

const NOTHING = { optional: true, nullable: true } as const;

/** A string of 1 to 255 characters; may be absent or null. */
export function TextField(description: string): PropertyDecorator {
  return StringField({ ...NOTHING, description });
}

/** An integer, also as a string of digits; may be absent or null. */
export function CountField(description: string, range: Range): PropertyDecorator {
  return count(range).field({ ...NOTHING, description });
}
