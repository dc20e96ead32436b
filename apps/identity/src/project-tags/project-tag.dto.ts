import { ReadOnlyField } from '../http/read-only-field.js';
import { TagsField } from '../http/tags.js';

export class ProjectTagsBody {
  @TagsField()
  tags: string[];

  @ReadOnlyField()
  links?: unknown;
}
