/**
 * What it is to its clients, who call one of them by the plural, too. Public source: Networking API
 * reference, "Security groups default statefulness".
 */
import { attribute, shownOnly, type ChangeBody, type NewBody } from '../resource/attribute.js';
import type { Resource } from '../resource/resource.js';
import { flag, orNull, text, uuid } from '../resource/value-type.js';

const attributes = {
  id: shownOnly(uuid, { about: 'Its id.' }),
  project_id: attribute(orNull(text()), {
    about: 'Whose new groups it is about; null for those of all projects. By default the caller’s.',
    given: 'at-creation',
  }),
  stateful: attribute(flag, {
    about: 'Whether new security groups are stateful that do not say.',
    default: true,
  }),
};

export const defaultStatefulnessResource: Resource<typeof attributes> = {
  singular: 'security_groups_default_statefulness',
  plural: 'security_groups_default_statefulness',
  attributes,
};

export type NewDefaultStatefulness = NewBody<typeof attributes>;
export type DefaultStatefulnessChange = ChangeBody<typeof attributes>;
