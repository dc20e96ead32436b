/**
 * The policy: from the name of an operation in Keystone to the personas that may call it. Public
 * source: Keystone administrator guide, "API Protection with Role-Based Access Control".
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { isByAccessKey } from './caller.js';
import {
  anyone,
  cloudAdmin,
  domainAdmin,
  domainGrantor,
  domainReader,
  domainService,
  domainServiceGrantor,
  domainUser,
  inPerson,
  owner,
  ownerInPerson,
  ownerOrTrustee,
  ownerOutsideTrust,
  projectAdmin,
  projectUser,
  scoped,
  service,
  systemReader,
  trustor,
  type Persona,
} from './personas.js';
import { NOTHING, type PolicyTarget } from './policy-target.js';

type Personas = readonly Persona[];

/** The five operations of a plain resource. */
function crud<Kind extends string, Plural extends string = `${Kind}s`>(
  kind: Kind,
  readers: Personas,
  writers: Personas,
  plural = `${kind}s` as Plural,
) {
  return {
    [`identity:list_${plural}`]: readers,
    [`identity:get_${kind}`]: readers,
    [`identity:create_${kind}`]: writers,
    [`identity:update_${kind}`]: writers,
    [`identity:delete_${kind}`]: writers,
  } as Record<`identity:${`list_${Plural}` | `${Verb}_${Kind}`}`, Personas>;
}

type Verb = 'get' | 'create' | 'update' | 'delete';

const cloud = [cloudAdmin];
const cloudReaders = [cloudAdmin, systemReader];
const domain = [cloudAdmin, domainAdmin];
const readers = [cloudAdmin, systemReader, domainReader];

export const POLICY = {
  'identity:validate_token': [...cloudReaders, service, owner],
  'identity:check_token': [...cloudReaders, service, owner],
  'identity:revoke_token': [cloudAdmin, owner],
  'identity:ec2tokens_validate': [cloudAdmin, service],
  'identity:s3tokens_validate': [cloudAdmin, service],
  'identity:get_auth_catalog': [scoped],
  'identity:get_auth_projects': [anyone],
  'identity:get_auth_domains': [anyone],
  'identity:get_auth_system': [anyone],
  'identity:list_revoke_events': [cloudAdmin, service],

  ...crud('domain', readers, cloud),
  'identity:get_domain': [...cloudReaders, domainUser],

  'identity:get_domain_config': cloudReaders,
  'identity:get_domain_config_default': cloudReaders,
  'identity:get_security_compliance_domain_config': [anyone],
  'identity:create_domain_config': cloud,
  'identity:update_domain_config': cloud,
  'identity:delete_domain_config': cloud,

  ...crud('project', readers, domain),
  // Unlike in Keystone: S3 checks that the projects of an ACL exist.
  'identity:get_project': [...readers, projectUser, service],
  'identity:create_project': [...domain, domainService],
  'identity:delete_project': [...domain, domainService],
  'identity:list_project_tags': [...readers, projectUser],
  'identity:get_project_tag': [...readers, projectUser],
  'identity:create_project_tag': domain,
  'identity:update_project_tags': domain,
  'identity:delete_project_tag': domain,
  'identity:delete_project_tags': domain,

  ...crud('user', readers, domain),
  'identity:get_user': [...readers, owner],
  // Unlike in Keystone: a service manages the users of its own domain.
  'identity:create_user': [...domain, domainService],
  'identity:update_user': [...domain, domainService],
  'identity:delete_user': [...domain, domainService],
  'identity:list_user_projects': [...readers, owner],
  'identity:list_groups_for_user': [...readers, owner],

  ...crud('group', readers, domain),
  'identity:list_users_in_group': readers,
  'identity:check_user_in_group': readers,
  'identity:add_user_to_group': domain,
  'identity:remove_user_from_group': domain,

  ...crud('role', readers, cloud),
  'identity:list_implied_roles': cloudReaders,
  'identity:get_implied_role': cloudReaders,
  'identity:check_implied_role': cloudReaders,
  'identity:list_role_inference_rules': cloudReaders,
  'identity:create_implied_role': cloud,
  'identity:delete_implied_role': cloud,

  'identity:list_grants': readers,
  'identity:check_grant': readers,
  'identity:create_grant': [cloudAdmin, domainGrantor, domainServiceGrantor],
  'identity:revoke_grant': [cloudAdmin, domainGrantor],
  'identity:list_system_grants_for_user': cloudReaders,
  'identity:check_system_grant_for_user': cloudReaders,
  'identity:create_system_grant_for_user': cloud,
  'identity:revoke_system_grant_for_user': cloud,
  'identity:list_system_grants_for_group': cloudReaders,
  'identity:check_system_grant_for_group': cloudReaders,
  'identity:create_system_grant_for_group': cloud,
  'identity:revoke_system_grant_for_group': cloud,
  'identity:list_role_assignments': readers,
  'identity:list_role_assignments_for_tree': [...readers, projectAdmin],

  ...crud('region', [anyone], cloud),
  ...crud('service', cloudReaders, cloud),
  ...crud('endpoint', cloudReaders, cloud),

  ...crud('policy', cloudReaders, cloud, 'policies'),
  ...crud('endpoint_group', cloudReaders, cloud),
  'identity:list_endpoints_associated_with_endpoint_group': cloudReaders,
  'identity:list_projects_associated_with_endpoint_group': cloudReaders,
  'identity:list_endpoint_groups_for_project': cloudReaders,
  'identity:get_endpoint_group_in_project': cloudReaders,
  'identity:add_endpoint_group_to_project': cloud,
  'identity:remove_endpoint_group_from_project': cloud,
  'identity:list_projects_for_endpoint': cloudReaders,
  'identity:list_endpoints_for_project': cloudReaders,
  'identity:check_endpoint_in_project': cloudReaders,
  'identity:add_endpoint_to_project': cloud,
  'identity:remove_endpoint_from_project': cloud,

  'identity:create_trust': [trustor],
  'identity:list_trusts': cloudReaders,
  'identity:list_trusts_for_trustor': [...cloudReaders, owner],
  'identity:list_trusts_for_trustee': [...cloudReaders, owner],
  'identity:get_trust': [...cloudReaders, owner],
  'identity:list_roles_for_trust': [...cloudReaders, owner],
  'identity:get_role_for_trust': [...cloudReaders, owner],
  'identity:delete_trust': [cloudAdmin, owner],

  'identity:list_application_credentials': [...cloudReaders, ownerOutsideTrust],
  'identity:get_application_credential': [...cloudReaders, ownerOutsideTrust],
  'identity:create_application_credential': [ownerInPerson],
  'identity:delete_application_credential': [cloudAdmin, ownerInPerson],
  'identity:list_access_rules': [...cloudReaders, ownerOutsideTrust],
  'identity:get_access_rule': [...cloudReaders, ownerOutsideTrust],
  'identity:delete_access_rule': [cloudAdmin, ownerInPerson],

  'identity:ec2_list_credentials': [...cloudReaders, ownerOrTrustee],
  'identity:ec2_get_credential': [...cloudReaders, ownerOrTrustee],
  'identity:ec2_create_credential': [cloudAdmin, domainService, ownerOrTrustee],
  'identity:ec2_delete_credential': [cloudAdmin, domainService, ownerOrTrustee],
  'identity:get_access_key': [service],
  'identity:list_access_keys': cloudReaders,
  'identity:list_credentials': [...cloudReaders, inPerson],
  'identity:get_credential': [...cloudReaders, ownerInPerson],
  'identity:create_credential': [cloudAdmin, ownerInPerson],
  'identity:update_credential': [cloudAdmin, ownerInPerson],
  'identity:delete_credential': [cloudAdmin, ownerInPerson],

  'identity:get_limit_model': [anyone],
  'identity:list_registered_limits': [anyone],
  'identity:get_registered_limit': [anyone],
  'identity:create_registered_limits': cloud,
  'identity:update_registered_limit': cloud,
  'identity:delete_registered_limit': cloud,
  'identity:list_limits': [anyone],
  'identity:get_limit': [...readers, projectUser],
  'identity:create_limits': cloud,
  'identity:update_limit': cloud,
  'identity:delete_limit': cloud,
} as const satisfies Readonly<Record<string, Personas>>;

export type Operation = keyof typeof POLICY;

/** @throws ForbiddenError naming the operation, unless the caller is one of its personas */
export function authorise(
  ctx: RequestContext,
  operation: Operation,
  target: PolicyTarget = NOTHING,
): void {
  if (isByAccessKey(ctx.fields))
    throw new ForbiddenError(
      `A token that was issued for an access key cannot be used for identity: ${operation}.`,
    );
  const personas: Personas = POLICY[operation];
  if (personas.some((persona) => persona.is(ctx, target))) return;
  throw new ForbiddenError(`You are not authorized to perform the requested action: ${operation}.`);
}
