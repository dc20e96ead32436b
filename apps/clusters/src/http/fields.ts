/** Fields of bodies of which null says as much as nothing, which Magnum's client sends for both. */
import { BooleanField, IntegerField, StringField } from '@cumulet/common/http/fields';

/** A text of 1 to 255 characters; left out or null, there is none. */
export function TextField(description: string): PropertyDecorator {
  return StringField({ optional: true, nullable: true, description });
}

/** A whole number, also written as digits; left out or null, there is none. */
export function CountField(
  description: string,
  { min, max = 1_000_000 }: { readonly min: number; readonly max?: number },
): PropertyDecorator {
  return IntegerField({ optional: true, nullable: true, fromText: true, min, max, description });
}

/** A boolean, also in OpenStack's words; left out or null, something else decides. */
export function FlagField(description: string): PropertyDecorator {
  return BooleanField({ optional: true, nullable: true, fromText: true, description });
}
