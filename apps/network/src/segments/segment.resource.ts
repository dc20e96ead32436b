/**
 * The segment of a network: how its packets travel. A network has exactly one, with the same ID.
 * Public source: Networking API reference, "Segments".
 */
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import { MAX_INTEGER } from '@cumulet/common/resources/resource';
import { integer, moment, oneOf, orNull, text, uuid } from '@cumulet/common/resources/value-type';
import type { Network } from '../networks/network.entity.js';
import { NETWORK_TYPES } from '../networks/network.resource.js';
import { defineBareResource } from '../resource/resource.js';

const once = { given: 'at-creation' } as const;

const attributes = {
  id: shownOnly(uuid, { about: 'The ID, which is that of the network.' }),
  networkId: attribute(uuid, {
    about: 'The ID of the network.',
    property: 'id',
    required: true,
    ...once,
  }),
  networkType: attribute(oneOf(NETWORK_TYPES), {
    about: 'The type of the network: geneve, flat, vlan or local.',
    required: true,
    ...once,
  }),
  physicalNetwork: attribute(orNull(text(64)), {
    about: 'The physical network that it is on.',
    ...once,
  }),
  segmentationId: attribute(orNull(integer(0, 16_777_215)), {
    about: 'The VLAN ID or tunnel ID.',
    ...once,
  }),
  name: attribute(orNull(text()), { about: 'The name.', property: 'segmentName' }),
  description: attribute(orNull(text()), {
    about: 'The description.',
    property: 'segmentDescription',
  }),
  createdAt: shownOnly(moment, { about: 'The time at which the network was created.' }),
  updatedAt: shownOnly(moment, { about: 'The time at which the network was last changed.' }),
  revisionNumber: shownOnly(integer(0, MAX_INTEGER), {
    about: 'The revision number of the network.',
  }),
};

export const segmentResource = defineBareResource({
  singular: 'segment',
  plural: 'segments',
  attributes,
});

export type Segment = Network;
export type NewSegment = NewBody<typeof attributes>;
export type SegmentChange = ChangeBody<typeof attributes>;
