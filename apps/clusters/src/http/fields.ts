/** Values and fields as Magnum takes them: null says as much as nothing, which its client sends for both. */
import { StringField } from '@cumulet/common/http/fields';
import * as types from '@cumulet/common/resources/field-type';
import type { FieldType } from '@cumulet/common/resources/field-type';

interface Range {
  readonly min: number;
  readonly max?: number;
}

/** A whole number, also written as digits. */
export function count({ min, max = 1_000_000 }: Range): FieldType<number> {
  return types.integer({ fromText: true, min, max });
}

/** A boolean, also in OpenStack's words. */
export const flag = types.flag({ fromText: true });

const NOTHING = { optional: true, nullable: true } as const;

/** A text of 1 to 255 characters; left out or null, there is none. */
export function TextField(description: string): PropertyDecorator {
  return StringField({ ...NOTHING, description });
}

/** A whole number, also written as digits; left out or null, there is none. */
export function CountField(description: string, range: Range): PropertyDecorator {
  return count(range).field({ ...NOTHING, description });
}
