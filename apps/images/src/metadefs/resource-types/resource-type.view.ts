/** As clients read them. Public source: Image API reference, "List resource types". */
import { shownTimes, withoutNulls, type MetadefView } from '../shown-fields.js';
import type { MetadefAssociation } from './association.entity.js';
import type { MetadefResourceType } from './resource-type.entity.js';

export function resourceTypeListView(types: readonly MetadefResourceType[]): MetadefView {
  return { resource_types: types.map((type) => ({ name: type.name, ...shownTimes(type) })) };
}

export function associationView(association: MetadefAssociation): MetadefView {
  return withoutNulls({
    name: association.name,
    prefix: association.prefix,
    properties_target: association.propertiesTarget,
    ...shownTimes(association),
  });
}

export function associationListView(associations: readonly MetadefAssociation[]): MetadefView {
  return { resource_type_associations: associations.map(associationView) };
}
