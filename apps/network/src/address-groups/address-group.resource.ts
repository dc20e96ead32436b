/** What an address group is to its clients. Public source: Networking API reference, "Address groups". */
import { attribute, type ChangeBody, type NewBody } from '@cumulet/common/resources/attribute';
import { setOf } from '@cumulet/common/resources/value-type';
import { ipSubnet } from '../addresses/address-types.js';
import { defineResource, neither } from '../resource/resource.js';

export const addressGroupResource = defineResource({
  singular: 'address_group',
  plural: 'address_groups',
  attributes: {
    addresses: attribute(setOf(ipSubnet), {
      about: 'Its addresses, as CIDRs of either version.',
      default: [],
      given: 'at-creation',
      ...neither,
    }),
  },
});

export type AddressGroupAttributes = typeof addressGroupResource.attributes;
export type NewAddressGroup = NewBody<AddressGroupAttributes>;
export type AddressGroupChange = ChangeBody<AddressGroupAttributes>;
