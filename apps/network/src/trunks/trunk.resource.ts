/** What a trunk is to its clients. Public source: Networking API reference, "Trunk networking". */
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import { flag, text, uuid } from '@cumulet/common/resources/value-type';
import { defineResource, neither } from '../resource/resource.js';
import { subportList } from './subport-body.js';
import { statusSql } from './trunk.entity.js';

export const trunkResource = defineResource({
  singular: 'trunk',
  plural: 'trunks',
  attributes: {
    adminStateUp: attribute(flag, { about: 'Whether it may be changed.', default: true }),
    portId: attribute(uuid, {
      about: 'The port that carries the packets of the others.',
      required: true,
      given: 'at-creation',
    }),
    status: shownOnly(text(), {
      about:
        'ACTIVE once all of its ports carry packets; BUILD until then, DEGRADED if one never will, DOWN and ERROR as its port.',
      filter: (values) => (bind) => `${statusSql('trunks')} = ANY(${bind(values)})`,
      sort: false,
    }),
    subPorts: attribute(subportList, {
      about: 'The ports whose packets it carries, each with its number.',
      given: 'at-creation',
      default: [],
      ...neither,
    }),
  },
});

export type TrunkAttributes = typeof trunkResource.attributes;
export type NewTrunk = NewBody<TrunkAttributes>;
export type TrunkChange = ChangeBody<TrunkAttributes>;
