/** Public source: Networking API reference, "Address scopes". */
import { Entity, Index, VirtualColumn } from 'typeorm';
import { conflict, invalid, notFound } from '@cumulet/common/errors/domain-error';
import { attribute, type ChangeBody, type NewBody } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { flag, oneOf } from '@cumulet/common/resources/value-type';
import { sharedByPolicies, sharedTargets } from '../rbac-policies/sharing.js';
import { defineResource } from '../resource/resource.js';
import { resourceTable } from '../resource/resource.table.js';

export const addressScopeResource = defineResource({
  singular: 'address_scope',
  plural: 'address_scopes',
  attributes: {
    ipVersion: attribute(oneOf([4, 6]), {
      about: 'The IP version: 4 or 6.',
      required: true,
      given: 'at-creation',
    }),
    shared: attribute(flag, {
      about:
        "Whether the address scope is shared with every project, or with the caller's project by an RBAC policy.",
      default: false,
      writers: 'admin',
      ...sharedByPolicies,
    }),
  },
});

export type AddressScopeAttributes = typeof addressScopeResource.attributes;
export type NewAddressScope = NewBody<AddressScopeAttributes>;
export type AddressScopeChange = ChangeBody<AddressScopeAttributes>;

/** Traffic within a scope is routed without NAT, so its subnet pools must not overlap. */
@Entity('address_scopes')
@Index('address_scopes_project_idx', ['projectId', 'id'])
export class AddressScope extends rowOf(addressScopeResource.attributes) {
  @VirtualColumn('text', { query: sharedTargets })
  sharedWith: string[];
}

export class AddressScopeNotFoundError extends notFound(
  (id: unknown) => `Address scope ${String(id)} could not be found.`,
) {}

export class AddressScopeInUseError extends conflict(
  (id: string) =>
    `Unable to complete operation on address scope ${id}. There are one or more subnet pools in use on the address scope.`,
) {}

export class AddressScopeUpdateError extends invalid(
  (id: string, reason: string) => `Unable to update address scope ${id} : ${reason}.`,
) {}

export class NetworkAddressScopeAffinityError extends invalid(
  'Subnets of the same address family hosted on the same network must all participate in the same address scope.',
) {}

export const addressScopes = resourceTable(AddressScope, AddressScopeNotFoundError, {
  subnetpools_scope_fkey: ({ id }) => new AddressScopeInUseError(id ?? ''),
});
