/** What a subnet pool is to its clients. Public source: Networking API reference, "Subnet pools". */
import { Entity, ForeignKey, Index, VirtualColumn } from 'typeorm';
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import type { ChangeBody, NewBody } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { MAX_INTEGER } from '@cumulet/common/resources/resource';
import * as types from '@cumulet/common/resources/value-type';
import { AddressScope } from '../address-scopes/address-scope.resource.js';
import { ipSubnet } from '../addresses/address-types.js';
import { defineResource, neither, TEXTS } from '../resource/resource.js';
import { sharedByPolicies, sharedTargets } from '../rbac-policies/sharing.js';

const { flag, integer, orNull, setOf, text, uuid } = types;

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
    name: attribute(name, { about: 'The name.', required: true, column: { default: '' } }),
    prefixes: attribute(setOf(ipSubnet), {
      about: 'All of its addresses, as CIDRs; the fewest that have them are kept.',
      required: true,
      column: TEXTS,
      ...neither,
    }),
    ipVersion: shownOnly(types.oneOf([4, 6]), { about: 'The version of its addresses: 4 or 6.' }),
    defaultPrefixlen: attribute(prefixLength, {
      about: "The length of a new subnet's prefix where it asks for none; by default, the least.",
      from: ({ defaultPrefixlen }: { readonly defaultPrefixlen: number }) =>
        String(defaultPrefixlen),
    }),
    minPrefixlen: attribute(prefixLength, {
      about: "The least length of a subnet's prefix; by default 8, or 64 of IPv6.",
      from: ({ minPrefixlen }: { readonly minPrefixlen: number }) => String(minPrefixlen),
    }),
    maxPrefixlen: attribute(prefixLength, {
      about: "The greatest length of a subnet's prefix; by default 32, or 128 of IPv6.",
      from: ({ maxPrefixlen }: { readonly maxPrefixlen: number }) => String(maxPrefixlen),
    }),
    defaultQuota: attribute(orNull(integer(0, MAX_INTEGER)), {
      about: 'The addresses, or /64 of IPv6, that a project may have; null and 0 are no limit.',
    }),
    shared: attribute(flag, {
      about: "Whether every project, or the caller's by a policy, may use the pool.",
      default: false,
      given: 'at-creation',
      writers: 'admin',
      ...sharedByPolicies,
    }),
    isDefault: attribute(flag, {
      about: 'Whether subnets of its version that ask for the default pool are from it.',
      default: false,
      writers: 'admin',
    }),
    addressScopeId: attribute(orNull(uuid), {
      about: 'The address scope, in which no two pools have the same address.',
    }),
  },
});

export type SubnetpoolAttributes = typeof subnetpoolResource.attributes;
export type NewSubnetpool = NewBody<SubnetpoolAttributes>;
export type SubnetpoolChange = ChangeBody<SubnetpoolAttributes>;

/** Addresses that subnets are cut from. */
@Entity('subnetpools')
@Index('subnetpools_project_idx', ['projectId', 'id'])
@Index('subnetpools_scope_idx', ['addressScopeId'])
@Index('subnetpools_default_key', ['ipVersion'], { unique: true, where: 'is_default' })
@ForeignKey(() => AddressScope, ['addressScopeId'], ['id'], { name: 'subnetpools_scope_fkey' })
export class Subnetpool extends rowOf(subnetpoolResource.attributes) {
  /** Projects that it is shared with, and `*` for everyone. */
  @VirtualColumn('text', { query: sharedTargets })
  sharedWith: string[];
}
