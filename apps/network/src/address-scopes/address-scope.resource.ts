/** What an address scope is to its clients. Public source: Networking API reference, "Address scopes". */
import { Entity, Index, VirtualColumn } from 'typeorm';
import { attribute, type ChangeBody, type NewBody } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { flag, oneOf } from '@cumulet/common/resources/value-type';
import { defineResource } from '../resource/resource.js';
import { sharedByPolicies, sharedTargets } from '../rbac-policies/sharing.js';

export const addressScopeResource = defineResource({
  singular: 'address_scope',
  plural: 'address_scopes',
  attributes: {
    ipVersion: attribute(oneOf([4, 6]), {
      about: 'The version of its addresses: 4 or 6.',
      required: true,
      given: 'at-creation',
    }),
    shared: attribute(flag, {
      about: "Whether every project, or the caller's by a policy, may use the address scope.",
      default: false,
      writers: 'admin',
      ...sharedByPolicies,
    }),
  },
});

export type AddressScopeAttributes = typeof addressScopeResource.attributes;
export type NewAddressScope = NewBody<AddressScopeAttributes>;
export type AddressScopeChange = ChangeBody<AddressScopeAttributes>;

/** Addresses of one scope are routed among each other as they are, so none is in two of its pools. */
@Entity('address_scopes')
@Index('address_scopes_project_idx', ['projectId', 'id'])
export class AddressScope extends rowOf(addressScopeResource.attributes) {
  /** Projects that it is shared with, and `*` for everyone. */
  @VirtualColumn('text', { query: sharedTargets })
  sharedWith: string[];
}
