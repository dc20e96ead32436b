/**
 * Operations of Keystone's API that are not offered, which answer by their names. Public source:
 * Keystone API reference and its extensions.
 */

import {
  operationsOf,
  type UnsupportedGroup,
  type UnsupportedOperation,
} from '@cumulet/common/http/unsupported-operations';

const GROUPS: readonly UnsupportedGroup[] = [
  {
    of: 'OAuth1',
    under: '/v3/OS-OAUTH1',
    operations: {
      'GET /consumers': 'list consumers',
      'POST /consumers': 'create a consumer',
      'GET /consumers/{consumer_id}': 'show a consumer',
      'PATCH /consumers/{consumer_id}': 'change a consumer',
      'DELETE /consumers/{consumer_id}': 'delete a consumer',
      'PUT /authorize/{request_token_id}': 'authorize a request token',
    },
  },
  {
    of: 'OAuth1',
    under: '/v3/OS-OAUTH1',
    isPublic: true,
    operations: {
      'POST /request_token': 'create a request token',
      'POST /access_token': 'create an access token',
    },
  },
  {
    of: 'OAuth1',
    under: '/v3/users/{user_id}/OS-OAUTH1',
    operations: {
      'GET /access_tokens': 'list access tokens',
      'GET /access_tokens/{access_token_id}': 'show an access token',
      'DELETE /access_tokens/{access_token_id}': 'revoke an access token',
      'GET /access_tokens/{access_token_id}/roles': 'list the roles of an access token',
      'GET /access_tokens/{access_token_id}/roles/{role_id}': 'show a role of an access token',
    },
  },
  {
    of: 'OAuth2',
    under: '/v3/OS-OAUTH2',
    isPublic: true,
    operations: {
      'POST /token': 'create an access token',
    },
  },
  {
    of: 'Federation',
    under: '/v3/OS-FEDERATION',
    operations: {
      'GET /identity_providers': 'list identity providers',
      'PUT /identity_providers/{idp_id}': 'create an identity provider',
      'GET /identity_providers/{idp_id}': 'show an identity provider',
      'PATCH /identity_providers/{idp_id}': 'change an identity provider',
      'DELETE /identity_providers/{idp_id}': 'delete an identity provider',
      'GET /identity_providers/{idp_id}/protocols': 'list protocols',
      'PUT /identity_providers/{idp_id}/protocols/{protocol_id}': 'create a protocol',
      'GET /identity_providers/{idp_id}/protocols/{protocol_id}': 'show a protocol',
      'PATCH /identity_providers/{idp_id}/protocols/{protocol_id}': 'change a protocol',
      'DELETE /identity_providers/{idp_id}/protocols/{protocol_id}': 'delete a protocol',
      'GET /mappings': 'list mappings',
      'PUT /mappings/{mapping_id}': 'create a mapping',
      'GET /mappings/{mapping_id}': 'show a mapping',
      'PATCH /mappings/{mapping_id}': 'change a mapping',
      'DELETE /mappings/{mapping_id}': 'delete a mapping',
      'GET /service_providers': 'list service providers',
      'PUT /service_providers/{service_provider_id}': 'create a service provider',
      'GET /service_providers/{service_provider_id}': 'show a service provider',
      'PATCH /service_providers/{service_provider_id}': 'change a service provider',
      'DELETE /service_providers/{service_provider_id}': 'delete a service provider',
      'GET /projects': 'list projects',
      'GET /domains': 'list domains',
    },
  },
  {
    of: 'Federation',
    under: '/v3/OS-FEDERATION',
    isPublic: true,
    operations: {
      'GET /identity_providers/{idp_id}/protocols/{protocol_id}/auth': 'log in',
      'POST /identity_providers/{idp_id}/protocols/{protocol_id}/auth': 'log in by form',
      'GET /saml2/metadata': 'show the SAML metadata',
    },
  },
  {
    of: 'Federation',
    under: '/v3/auth/OS-FEDERATION',
    operations: {
      'POST /saml2': 'create a SAML assertion',
      'POST /saml2/ecp': 'create an ECP assertion',
    },
  },
  {
    of: 'Federation',
    under: '/v3/auth/OS-FEDERATION',
    isPublic: true,
    operations: {
      'GET /websso/{protocol_id}': 'log in on the web',
      'POST /websso/{protocol_id}': 'log in on the web by form',
      'GET /identity_providers/{idp_id}/protocols/{protocol_id}/websso':
        'log in on the web at a provider',
      'POST /identity_providers/{idp_id}/protocols/{protocol_id}/websso':
        'log in on the web at a provider by form',
    },
  },
  {
    of: 'Endpoint policy',
    under: '/v3/policies/{policy_id}/OS-ENDPOINT-POLICY',
    operations: {
      'GET /endpoints': 'list the endpoints of a policy',
      'GET /endpoints/{endpoint_id}': 'check a policy of an endpoint',
      'PUT /endpoints/{endpoint_id}': 'give an endpoint a policy',
      'DELETE /endpoints/{endpoint_id}': 'take a policy from an endpoint',
      'GET /services/{service_id}': 'check a policy of a service',
      'PUT /services/{service_id}': 'give a service a policy',
      'DELETE /services/{service_id}': 'take a policy from a service',
      'GET /services/{service_id}/regions/{region_id}': 'check a policy of a service in a region',
      'PUT /services/{service_id}/regions/{region_id}': 'give a service in a region a policy',
      'DELETE /services/{service_id}/regions/{region_id}':
        'take a policy from a service in a region',
    },
  },
  {
    of: 'Endpoint policy',
    under: '/v3/endpoints/{endpoint_id}/OS-ENDPOINT-POLICY',
    operations: {
      'GET /policy': 'show the policy of an endpoint',
    },
  },
  {
    of: 'PKI tokens',
    under: '/v3/OS-SIMPLE-CERT',
    isPublic: true,
    operations: {
      'GET /ca': 'show the certificate authority',
      'GET /certificates': 'show the signing certificates',
    },
  },
];

export const UNSUPPORTED_OPERATIONS: readonly UnsupportedOperation[] = operationsOf(GROUPS);
