/** A server's tags on the wire. Public source: Nova API reference, "Server tags". */
import { StringListField } from '@cumulet/common/http/fields';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { TAG } from '../../http/fields.js';

export const MAX_TAGS = 50;

export function TagsField(options: {
  readonly optional?: boolean;
  readonly description?: string;
}): PropertyDecorator {
  return StringListField({
    ...TAG,
    ...options,
    maxItems: MAX_TAGS,
  });
}

export class ServerTagsBody {
  @TagsField({})
  tags: string[];
}

export const ServerTagsAnswer = answerClass('ServerTagsAnswer', {
  tags: Shown([String], 'Its tags.'),
});
