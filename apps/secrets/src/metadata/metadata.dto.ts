/** Public source: Key Manager API reference, "Secret Metadata API". */
import { invalid } from '@cumulet/common/errors/domain-error';
import { CheckedField, StringField } from '@cumulet/common/http/fields';
import { IgnoresOthers } from '@cumulet/common/http/read-dto';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { isStorable } from '@cumulet/common/database/storable';

export type Metadata = Readonly<Record<string, string>>;

const MAX_KEYS = 128;
const MAX_LENGTH = 255;
const URL_SAFE = /^[A-Za-z0-9_-]+$/;

@IgnoresOthers()
export class MetadataDto {
  @CheckedField(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
    { type: 'object', additionalProperties: { type: 'string', maxLength: MAX_LENGTH } },
  )
  metadata: Readonly<Record<string, unknown>>;
}

export class MetadatumDto {
  @StringField({
    pattern: URL_SAFE,
    patternText: 'must consist of letters, digits, underscores and hyphens',
    description: 'The key; stored in lower case.',
  })
  key: string;

  @StringField({ min: 0 })
  value: string;
}

export const MetadataView = answerClass('MetadataView', {
  metadata: Shown(Object, 'The metadata of the secret, by key.', {
    schema: { additionalProperties: { type: 'string' } },
  }),
});

export const MetadataRefView = answerClass('MetadataRefView', {
  metadata_ref: Shown(String, 'The URL of the metadata.'),
});

export const MetadatumView = answerClass('MetadatumView', {
  key: Shown(String, 'The key, in lower case.'),
  value: Shown(String, 'The value.'),
});

/** With keys in lower case. @throws InvalidInputError */
export function metadataOf({ metadata }: MetadataDto): Metadata {
  const given = Object.entries(metadata);
  if (given.length > MAX_KEYS) throw new BadMetadataError(`has more than ${MAX_KEYS} keys`);
  const found = new Map<string, string>();
  for (const [written, value] of given) {
    const key = written.toLowerCase();
    const shown = JSON.stringify(written.slice(0, MAX_LENGTH));
    if (!URL_SAFE.test(written) || written.length > MAX_LENGTH)
      throw new BadMetadataError(
        `has the key ${shown}, which is not 1 to ${MAX_LENGTH} letters, digits, underscores and hyphens`,
      );
    if (typeof value !== 'string' || value.length > MAX_LENGTH || !isStorable(value))
      throw new BadMetadataError(
        `must have a string of at most ${MAX_LENGTH} characters at ${shown}`,
      );
    if (found.has(key))
      throw new BadMetadataError(`has ${shown} twice, as keys are stored in lower case`);
    found.set(key, value);
  }
  return Object.fromEntries(found);
}

class BadMetadataError extends invalid((reason: string) => `Invalid input: metadata ${reason}.`) {}
