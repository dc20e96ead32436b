/** What an address scope is to its clients. Public source: Networking API reference, "Address scopes". */
import { attribute, type ChangeBody, type NewBody } from '@cumulet/common/resources/attribute';
import { flag, oneOf } from '@cumulet/common/resources/value-type';
import { defineResource } from '../resource/resource.js';
import { sharedByPolicies } from '../rbac-policies/sharing.js';

export const addressScopeResource = defineResource({
  singular: 'address_scope',
  plural: 'address_scopes',
  attributes: {
    ipVersion: attribute(oneOf([4, 6]), {
      about: 'Of its addresses: 4 or 6.',
      required: true,
      given: 'at-creation',
    }),
    shared: attribute(flag, {
      about: "Whether every project may use it, or at least the caller's by a policy.",
      default: false,
      writers: 'admin',
      ...sharedByPolicies,
    }),
  },
});

export type AddressScopeAttributes = typeof addressScopeResource.attributes;
export type NewAddressScope = NewBody<AddressScopeAttributes>;
export type AddressScopeChange = ChangeBody<AddressScopeAttributes>;
