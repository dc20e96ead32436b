/** Tags of a resource. Public source: Networking API reference, "Standard Attributes Tag Extension". */
import { Shown } from '@cumulet/common/http/shown';
import { HTTPBadRequestError, InvalidInputError } from '@cumulet/common/resources/resource.errors';
import { Refusal, setOf, text } from '@cumulet/common/resources/value-type';

export class TagsView {
  @Shown([String], 'All tags of the resource.')
  tags: readonly string[];
}

const tagList = setOf(text());

/** @param body `{"tags": ["red"]}` */
export function readTags(body: unknown): readonly string[] {
  const { tags } = body as { readonly tags?: unknown };
  if (tags === undefined) throw new HTTPBadRequestError('Invalid tags body');
  try {
    return tagList.read(tags);
  } catch (error) {
    throw error instanceof Refusal ? new InvalidInputError(error.message) : error;
  }
}

export function readTag(tag: string): string {
  return readTags({ tags: [tag] })[0] ?? tag;
}
