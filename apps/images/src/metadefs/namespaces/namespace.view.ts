/** Namespaces as clients read them. Public source: Image API reference, "Get namespace details". */
import { firstPageUrl, nextPageUrl } from '@cumulet/common/http/paging';
import { namespaceLink, schemaLink } from '../metadef-links.js';
import { objectView } from '../objects/object.view.js';
import { schemasByName } from '../properties/property.view.js';
import type { MetadefAssociation } from '../resource-types/association.entity.js';
import { associationView } from '../resource-types/resource-type.view.js';
import { shownTimes, withoutNulls, type MetadefView } from '../shown-fields.js';
import { tagNames } from '../tags/tag.view.js';
import type { Contents } from './namespace-contents.js';
import type { MetadefNamespace } from './namespace.entity.js';

export interface NamespacePage {
  readonly namespaces: readonly MetadefNamespace[];
  /** Of all of them. */
  readonly associations: readonly MetadefAssociation[];
  /** The namespace after which the next page starts; absent on the last. */
  readonly nextMarker?: string | undefined;
}

export function namespaceView(row: MetadefNamespace): MetadefView {
  return withoutNulls({
    namespace: row.namespace,
    display_name: row.displayName,
    description: row.description,
    visibility: row.visibility,
    protected: row.protected,
    owner: row.owner,
    ...shownTimes(row),
    self: namespaceLink(row.namespace),
    schema: schemaLink('namespace'),
  });
}

/** With its contents, but for the kinds that it has none of. */
export function namespaceDetailView(row: MetadefNamespace, contents: Contents): MetadefView {
  const { properties, objects, tags } = contents;
  return {
    ...namespaceView(row),
    ...associationsField(contents.associations),
    ...(properties.length > 0 ? { properties: schemasByName(properties) } : {}),
    ...(objects.length > 0 ? { objects: objects.map((o) => objectView(o, row.namespace)) } : {}),
    ...(tags.length > 0 ? { tags: tagNames(tags) } : {}),
  };
}

/** @param requestUrl path and query of the list request, which the links repeat */
export function namespaceListView(page: NamespacePage, requestUrl: string): MetadefView {
  const { namespaces, associations, nextMarker } = page;
  return {
    namespaces: namespaces.map((row) => ({
      ...namespaceView(row),
      ...associationsField(associations.filter(({ namespaceId }) => namespaceId === row.id)),
    })),
    first: firstPageUrl(requestUrl),
    schema: schemaLink('namespaces'),
    ...(nextMarker === undefined ? {} : { next: nextPageUrl(requestUrl, nextMarker) }),
  };
}

function associationsField(associations: readonly MetadefAssociation[]): MetadefView {
  return associations.length === 0
    ? {}
    : { resource_type_associations: associations.map(associationView) };
}
