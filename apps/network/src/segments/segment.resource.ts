/**
 * What a segment is to its clients: where a network's packets travel. A network has one, which has
 * its id. Public source: Networking API reference, "Segments".
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
  id: shownOnly(uuid, { about: 'Its id, which is its network’s.' }),
  networkId: attribute(uuid, {
    about: 'The network whose packets travel there.',
    property: 'id',
    required: true,
    ...once,
  }),
  networkType: attribute(oneOf(NETWORK_TYPES), {
    about: 'How they travel between hosts.',
    required: true,
    ...once,
  }),
  physicalNetwork: attribute(orNull(text(64)), {
    about: 'The physical network that it is on.',
    ...once,
  }),
  segmentationId: attribute(orNull(integer(0, 16_777_215)), {
    about: 'Its number there: of the VLAN, or of the tunnel.',
    ...once,
  }),
  name: attribute(orNull(text()), { about: 'What it is called.', property: 'segmentName' }),
  description: attribute(orNull(text()), {
    about: 'What it is for.',
    property: 'segmentDescription',
  }),
  createdAt: shownOnly(moment, { about: 'When its network was created.' }),
  updatedAt: shownOnly(moment, { about: 'When its network was last changed.' }),
  revisionNumber: shownOnly(integer(0, MAX_INTEGER), {
    about: 'How often its network has changed.',
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
