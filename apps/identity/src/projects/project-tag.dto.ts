/** Tags of a project on the wire. Public source: Keystone API reference, "Project tags". */
import { Shown } from '@cumulet/common/http/shown';
import { ReadOnlyField } from '../resource/extra-fields.js';
import { TagsField } from '../resource/tags.js';
import { ListLinksView } from '../resource/resource.view.js';

export class ProjectTagsBody {
  @TagsField()
  tags: string[];

  @ReadOnlyField()
  links?: unknown;
}

export class ProjectTagsView {
  @Shown([String], 'All of them, in the order in which they were given.')
  tags: readonly string[];

  @Shown(() => ListLinksView, 'Where they are found.')
  links: ListLinksView;
}
