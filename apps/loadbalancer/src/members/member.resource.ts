/** Public source: octavia, `api/v2/types/member.py`; Load Balancer API v2 reference, "Members". */
import {
  attribute,
  givenOnly,
  shownOnly,
  type ChangeBody,
  type NewBody,
} from '@cumulet/common/resources/attribute';
import { flag, integer, orNull, text, uuid } from '@cumulet/common/resources/value-type';
import { defineResource, NAME } from '../resources/resource.js';
import { givenIpAddress, orDefault, port, withDefault } from '../resources/values.js';

export const memberResource = defineResource({
  singular: 'member',
  plural: 'members',
  attributes: {
    ...NAME,
    address: attribute(givenIpAddress, {
      about: 'Where it is reached.',
      required: true,
      given: 'at-creation',
    }),
    protocolPort: attribute(port, {
      about: 'The port on which it serves.',
      required: true,
      given: 'at-creation',
    }),
    weight: withDefault(integer(0, 256), 1, {
      about: 'Its share of the connections beside that of others; 0 takes no new ones.',
    }),
    backup: withDefault(flag, false, { about: 'Used only where all others are down.' }),
    subnetId: attribute(orNull(uuid), {
      about: 'The subnet from which it is reached.',
      given: 'at-creation',
    }),
    monitorAddress: attribute(orNull(givenIpAddress), {
      about: 'Where its health is asked for, if not where it serves.',
    }),
    monitorPort: attribute(orNull(port), {
      about: 'The port on which its health is asked for, if not that on which it serves.',
    }),
    vnicType: shownOnly(text(), { about: 'How it is plugged in.' }),
    requestSriov: givenOnly(orDefault(flag, false), {
      about: 'Whether it is to be reached by a port with SR-IOV.',
    }),
  },
});

type Attributes = (typeof memberResource)['attributes'];
export type MemberAttributes = Attributes;
export type NewMember = NewBody<Attributes>;
export type MemberChange = ChangeBody<Attributes>;
