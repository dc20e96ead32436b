/**
 * What it is to its clients, who call one of them by the plural, too. Public source: Networking API
 * reference, "Security groups default statefulness".
 */
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import { flag, orNull, text, uuid } from '@cumulet/common/resources/value-type';
import { defineBareResource } from '../../resource/resource.js';

const attributes = {
  id: shownOnly(uuid, { about: 'Its id.' }),
  projectId: attribute(orNull(text()), {
    about: 'Whose new groups it is about; null for those of all projects. By default the caller’s.',
    given: 'at-creation',
  }),
  stateful: attribute(flag, {
    about: 'Whether new security groups are stateful that do not say.',
    default: true,
  }),
};

export const defaultStatefulnessResource = defineBareResource({
  singular: 'security_groups_default_statefulness',
  plural: 'security_groups_default_statefulness',
  attributes,
});

export type NewDefaultStatefulness = NewBody<typeof attributes>;
export type DefaultStatefulnessChange = ChangeBody<typeof attributes>;
