/** Public source: Networking API reference, "Subnet pools". */
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

/** Neutron shows prefix lengths as text and accepts either form. */
const prefixLength: types.ValueType<number> = { ...integer(0, MAX_INTEGER), shape: String };

export const subnetpoolResource = defineResource({
  singular: 'subnetpool',
  plural: 'subnetpools',
  attributes: {
    name: attribute(name, { about: 'The name.', required: true, column: { default: '' } }),
    prefixes: attribute(setOf(ipSubnet), {
      about: 'The CIDRs of the pool; adjacent ones are merged.',
      required: true,
      column: TEXTS,
      ...neither,
    }),
    ipVersion: shownOnly(types.oneOf([4, 6]), { about: 'The IP version: 4 or 6.' }),
    defaultPrefixlen: attribute(prefixLength, {
      about: 'The prefix length of a subnet that does not request one; by default, the minimum.',
      from: ({ defaultPrefixlen }: { readonly defaultPrefixlen: number }) =>
        String(defaultPrefixlen),
    }),
    minPrefixlen: attribute(prefixLength, {
      about: 'The minimum prefix length of a subnet; by default 8, or 64 for IPv6.',
      from: ({ minPrefixlen }: { readonly minPrefixlen: number }) => String(minPrefixlen),
    }),
    maxPrefixlen: attribute(prefixLength, {
      about: 'The maximum prefix length of a subnet; by default 32, or 128 for IPv6.',
      from: ({ maxPrefixlen }: { readonly maxPrefixlen: number }) => String(maxPrefixlen),
    }),
    defaultQuota: attribute(orNull(integer(0, MAX_INTEGER)), {
      about:
        'The number of IPv4 addresses, or of IPv6 /64s, that a project may allocate; null and 0 mean unlimited.',
    }),
    shared: attribute(flag, {
      about:
        "Whether the subnet pool is shared with every project, or with the caller's project by an RBAC policy.",
      default: false,
      given: 'at-creation',
      writers: 'admin',
      ...sharedByPolicies,
    }),
    isDefault: attribute(flag, {
      about: 'Whether it is the default pool of its IP version.',
      default: false,
      writers: 'admin',
    }),
    addressScopeId: attribute(orNull(uuid), {
      about: 'The ID of the address scope, in which pools must not overlap.',
    }),
  },
});

export type SubnetpoolAttributes = typeof subnetpoolResource.attributes;
export type NewSubnetpool = NewBody<SubnetpoolAttributes>;
export type SubnetpoolChange = ChangeBody<SubnetpoolAttributes>;

/** Addresses that subnets are allocated from. */
@Entity('subnetpools')
@Index('subnetpools_project_idx', ['projectId', 'id'])
@Index('subnetpools_scope_idx', ['addressScopeId'])
@Index('subnetpools_default_key', ['ipVersion'], { unique: true, where: 'is_default' })
@ForeignKey(() => AddressScope, ['addressScopeId'], ['id'], { name: 'subnetpools_scope_fkey' })
export class Subnetpool extends rowOf(subnetpoolResource.attributes) {
  @VirtualColumn('text', { query: sharedTargets })
  sharedWith: string[];
}
