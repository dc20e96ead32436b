/** Public source: Networking API reference, "Address scopes". */
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
