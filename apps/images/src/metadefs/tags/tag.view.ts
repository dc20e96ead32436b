/** Tags as clients read them. Public source: Image API reference, "Metadata definition tags". */
import { shownTimes, type MetadefView } from '../shown-fields.js';
import type { MetadefTag } from './tag.entity.js';

export function tagView(tag: MetadefTag): MetadefView {
  return { name: tag.name, ...shownTimes(tag) };
}

export function tagListView(tags: readonly MetadefTag[]): MetadefView {
  return { tags: tagNames(tags) };
}

/** A tag among others is its name alone. */
export function tagNames(tags: readonly MetadefTag[]): MetadefView[] {
  return tags.map(({ name }) => ({ name }));
}
