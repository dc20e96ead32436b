/** Fields that several requests have. Public source: nova, `api/validation/parameter_types.py`. */
import type { Type } from '@nestjs/common';
import { ObjectField, type FieldOptions } from '@cumulet/common/http/fields';

export const TRIMMED = {
  pattern: /^(?=\S)[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+(?<=\S)$/u,
  patternText: 'must hold printable characters, without a space at either end',
};

export const NOT_BLANK = {
  pattern: /^(?=.*\S)[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+$/u,
  patternText: 'must hold printable characters, and not be blank',
};

export const HOST_NAME = {
  pattern: /^[a-zA-Z0-9-._]*$/,
  patternText: "must contain only letters, digits, '-', '.' and '_'",
};

/** A tag of a server, or of one of its devices. */
export const TAG = { max: 60, pattern: /^[^/,]+$/, patternText: "must not contain '/' or ','" };

/** The class of a body with one key: `{"keypair": {…}}`. */
export function bodyUnder<Key extends string, Dto extends object>(
  key: Key,
  dto: Type<Dto>,
  options: FieldOptions = {},
): Type<Readonly<Record<Key, Dto>>> {
  class Body {
    [key: string]: unknown;
  }
  ObjectField(() => dto, options)(Body.prototype, key);
  return Body as unknown as Type<Readonly<Record<Key, Dto>>>;
}
