/** A server's metadata on the wire. Public source: Nova API reference, "Servers metadata". */
import { CheckedField } from '@cumulet/common/http/fields';
import { isStorable } from '@cumulet/common/database/storable';
import { answerClass, Shown } from '@cumulet/common/http/shown';

export type ServerMetadata = Record<string, string>;

const KEY = /^[a-zA-Z0-9-_:. ]{1,255}$/;
const MAX_LENGTH = 255;
/** More than any useful quota; the body's size is limited as well. */
const MAX_KEYS = 4_096;

const SCHEMA = {
  type: 'object',
  additionalProperties: { type: 'string', maxLength: MAX_LENGTH },
  maxProperties: MAX_KEYS,
} as const;

/** Texts by key; the quota `metadata_items` limits their number. */
export function MetadataField(options: { readonly optional?: boolean } = {}): PropertyDecorator {
  return CheckedField(
    (value) => isMetadata(value),
    `must be an object of strings of at most ${MAX_LENGTH} characters, whose keys are 1 to ${MAX_LENGTH} letters, digits, spaces and '-_:.'`,
    SCHEMA,
    { ...options, description: 'Limited by the quota `metadata_items`.' },
  );
}

function isMetadata(value: unknown, max = MAX_KEYS): value is ServerMetadata {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= max &&
    entries.every(
      ([key, one]) =>
        KEY.test(key) && typeof one === 'string' && one.length <= MAX_LENGTH && isStorable(one),
    )
  );
}

export class ServerMetadataBody {
  @MetadataField()
  metadata: ServerMetadata;
}

export class ServerMetadataItemBody {
  @CheckedField(
    (value) => isMetadata(value, 1) && Object.keys(value).length === 1,
    `must be an object of one string of at most ${MAX_LENGTH} characters`,
    { ...SCHEMA, minProperties: 1, maxProperties: 1 },
  )
  meta: ServerMetadata;
}

const TEXTS = { schema: { additionalProperties: { type: 'string' } } } as const;

export const ServerMetadataAnswer = answerClass('ServerMetadataAnswer', {
  metadata: Shown(Object, 'The metadata.', TEXTS),
});

export const ServerMetadataItemAnswer = answerClass('ServerMetadataItemAnswer', {
  meta: Shown(Object, 'The item.', TEXTS),
});
