/** Public source: Networking API reference, "Address groups". */
import { Entity, Index } from 'typeorm';
import { attribute } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { setOf } from '@cumulet/common/resources/value-type';
import { ipSubnet } from '../addresses/address-types.js';
import { defineResource, neither, NO_TEXTS } from '../resource/resource.js';

export const addressGroupResource = defineResource({
  singular: 'address_group',
  plural: 'address_groups',
  attributes: {
    addresses: attribute(setOf(ipSubnet), {
      about: 'The addresses, as IPv4 or IPv6 CIDRs.',
      default: [],
      given: 'at-creation',
      column: NO_TEXTS,
      ...neither,
    }),
  },
});

export type AddressGroupAttributes = typeof addressGroupResource.attributes;

/** A set of addresses that security group rules refer to together. */
@Entity('address_groups')
@Index('address_groups_project_idx', ['projectId', 'id'])
export class AddressGroup extends rowOf(addressGroupResource.attributes) {}
