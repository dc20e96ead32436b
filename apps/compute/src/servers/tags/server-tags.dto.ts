/** A server's tags on the wire. Public source: Nova API reference, "Server tags". */
import { StringListField } from '@cumulet/common/http/fields';
import { Shown } from '@cumulet/common/http/shown';

/** Tags that a server may have. */
export const MAX_TAGS = 50;
/** Characters of a tag. */
export const MAX_TAG = 60;
export const TAG = /^[^/,]+$/;

export function TagsField(options: {
  readonly optional?: boolean;
  readonly description?: string;
}): PropertyDecorator {
  return StringListField({
    ...options,
    max: MAX_TAG,
    maxItems: MAX_TAGS,
    pattern: TAG,
    patternText: "must hold neither '/' nor ','",
  });
}

export class ServerTagsBody {
  @TagsField({})
  tags: string[];
}

export class ServerTagsAnswer {
  @Shown([String], 'Its tags.')
  tags: string[];
}
