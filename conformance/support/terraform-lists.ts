/** Where what Terraform's module makes is listed, below the service's address in the catalog. */
import type { Lists } from './what-there-is.js';

const NETWORK = [
  'address-groups',
  'address-scopes',
  'floatingips',
  'networks',
  'ports',
  'qos/policies',
  'quotas',
  'rbac-policies',
  'routers',
  'security-groups',
  'subnetpools',
  'subnets',
  'trunks',
];
const LOAD_BALANCER = [
  'flavorprofiles',
  'flavors',
  'healthmonitors',
  'l7policies',
  'listeners',
  'loadbalancers',
  'pools',
  'quotas',
];

/**
 * By the service's type.
 * @param userId of the administrator who has made it
 */
export function listsOfTerraform(userId: string): Lists {
  return {
    identity: [
      '/projects',
      '/users',
      '/groups',
      '/roles',
      '/role_assignments',
      '/services',
      '/endpoints',
      `/users/${userId}/credentials/OS-EC2`,
      `/users/${userId}/application_credentials`,
      `/OS-TRUST/trusts?trustor_user_id=${userId}`,
    ],
    image: ['/v2/images'],
    compute: [
      '/servers?all_tenants=true',
      '/flavors?is_public=none',
      '/os-server-groups?all_projects=true',
      '/os-aggregates',
      '/os-keypairs',
    ],
    network: NETWORK.map((one) => `/v2.0/${one}`),
    'load-balancer': LOAD_BALANCER.map((one) => `/v2/lbaas/${one}`),
    'key-manager': ['/v1/containers', '/v1/secrets'],
    orchestration: ['/stacks?show_nested=true&global_tenant=true'],
    'container-infra': ['/clusters', '/clustertemplates'],
  };
}
