/**
 * Clients use the plural for a single one, too. Public source: Networking API reference, "Security
 * groups default statefulness".
 */
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import { flag, orNull, text, uuid } from '@cumulet/common/resources/value-type';
import { defineBareResource } from '../../resource/resource.js';

export const DEFAULT_STATEFULNESS = {
  id: shownOnly(uuid, {
    about: 'The ID.',
    column: { primary: true, primaryKeyConstraintName: 'security_group_defaults_pkey' },
  }),
  projectId: attribute(orNull(text()), {
    about:
      'The project to which the default applies; null for all projects without their own. By default, the caller’s.',
    given: 'at-creation',
  }),
  stateful: attribute(flag, {
    about: 'Whether new security groups are stateful, unless they say otherwise.',
    default: true,
  }),
};

export const defaultStatefulnessResource = defineBareResource({
  singular: 'security_groups_default_statefulness',
  plural: 'security_groups_default_statefulness',
  attributes: DEFAULT_STATEFULNESS,
});

export type NewDefaultStatefulness = NewBody<typeof DEFAULT_STATEFULNESS>;
export type DefaultStatefulnessChange = ChangeBody<typeof DEFAULT_STATEFULNESS>;
