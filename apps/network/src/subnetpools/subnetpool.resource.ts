/** What a subnet pool is to its clients. Public source: Networking API reference, "Subnet pools". */
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import * as types from '@cumulet/common/resources/value-type';
import { ipSubnet } from '../addresses/address-types.js';
import { defineResource, neither } from '../resource/resource.js';
import { sharedByPolicies } from '../rbac-policies/sharing.js';
import type { Subnetpool } from './subnetpool.entity.js';

const { flag, integer, orNull, setOf, text, uuid } = types;

const MAX_INTEGER = 2_147_483_647;

const name: types.ValueType<string> = {
  ...text(),
  read: (value) => {
    const word = text().read(value);
    if (word.trim() === '') throw new types.Refusal(`'${word}' Blank strings are not permitted`);
    return word;
  },
};

/** Neutron shows these as texts, and takes them as either. */
const prefixLength: types.ValueType<number> = { ...integer(0, MAX_INTEGER), shape: String };

export const subnetpoolResource = defineResource({
  singular: 'subnetpool',
  plural: 'subnetpools',
  attributes: {
    name: attribute(name, { about: 'What its owner calls it.', required: true }),
    prefixes: attribute(setOf(ipSubnet), {
      about: 'All of its addresses, as CIDRs.',
      required: true,
      ...neither,
    }),
    ipVersion: shownOnly(types.oneOf([4, 6]), { about: 'Of its addresses: 4 or 6.' }),
    defaultPrefixlen: attribute(prefixLength, {
      about: "The length of a new subnet's prefix that asks for none; the least by default.",
      from: ({ defaultPrefixlen }: Subnetpool) => String(defaultPrefixlen),
    }),
    minPrefixlen: attribute(prefixLength, {
      about: "The least length of a subnet's prefix: 8, or 64 of IPv6, by default.",
      from: ({ minPrefixlen }: Subnetpool) => String(minPrefixlen),
    }),
    maxPrefixlen: attribute(prefixLength, {
      about: "The greatest length of a subnet's prefix: 32, or 128 of IPv6, by default.",
      from: ({ maxPrefixlen }: Subnetpool) => String(maxPrefixlen),
    }),
    defaultQuota: attribute(orNull(integer(0, MAX_INTEGER)), {
      about: 'Addresses, or /64 of IPv6, that a project may have of it; null and 0 are no limit.',
    }),
    shared: attribute(flag, {
      about: "Whether every project may use it, or at least the caller's by a policy.",
      default: false,
      given: 'at-creation',
      writers: 'admin',
      ...sharedByPolicies,
    }),
    isDefault: attribute(flag, {
      about: 'Whether subnets of its version are from it that ask for the default.',
      default: false,
      writers: 'admin',
    }),
    addressScopeId: attribute(orNull(uuid), {
      about: 'The address scope that it is in, where no two pools have the same address.',
    }),
  },
});

export type SubnetpoolAttributes = typeof subnetpoolResource.attributes;
export type NewSubnetpool = NewBody<SubnetpoolAttributes>;
export type SubnetpoolChange = ChangeBody<SubnetpoolAttributes>;
