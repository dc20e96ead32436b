/**
 * Who may call which operation: one table from an operation's name in Keystone to the personas that
 * may. Public source: Keystone administrator guide, "API Protection with Role-Based Access Control".
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import {
  anyone,
  cloudAdmin,
  domainAdmin,
  domainGrantor,
  domainReader,
  domainUser,
  inPerson,
  owner,
  ownerInPerson,
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

  'identity:list_domains': readers,
  'identity:get_domain': [...cloudReaders, domainUser],
  'identity:create_domain': cloud,
  'identity:update_domain': cloud,
  'identity:delete_domain': cloud,

  'identity:get_domain_config': cloudReaders,
  'identity:get_domain_config_default': cloudReaders,
  'identity:get_security_compliance_domain_config': [anyone],
  'identity:create_domain_config': cloud,
  'identity:update_domain_config': cloud,
  'identity:delete_domain_config': cloud,

  'identity:list_projects': readers,
  'identity:get_project': [...readers, projectUser],
  'identity:create_project': domain,
  'identity:update_project': domain,
  'identity:delete_project': domain,
  'identity:list_project_tags': [...readers, projectUser],
  'identity:get_project_tag': [...readers, projectUser],
  'identity:create_project_tag': domain,
  'identity:update_project_tags': domain,
  'identity:delete_project_tag': domain,
  'identity:delete_project_tags': domain,

  'identity:list_users': readers,
  'identity:get_user': [...readers, owner],
  'identity:create_user': domain,
  'identity:update_user': domain,
  'identity:delete_user': domain,
  'identity:list_user_projects': [...readers, owner],
  'identity:list_groups_for_user': [...readers, owner],

  'identity:list_groups': readers,
  'identity:get_group': readers,
  'identity:create_group': domain,
  'identity:update_group': domain,
  'identity:delete_group': domain,
  'identity:list_users_in_group': readers,
  'identity:check_user_in_group': readers,
  'identity:add_user_to_group': domain,
  'identity:remove_user_from_group': domain,

  'identity:list_roles': [...readers],
  'identity:get_role': [...readers],
  'identity:create_role': cloud,
  'identity:update_role': cloud,
  'identity:delete_role': cloud,
  'identity:list_implied_roles': cloudReaders,
  'identity:get_implied_role': cloudReaders,
  'identity:check_implied_role': cloudReaders,
  'identity:list_role_inference_rules': cloudReaders,
  'identity:create_implied_role': cloud,
  'identity:delete_implied_role': cloud,

  'identity:list_grants': readers,
  'identity:check_grant': readers,
  'identity:create_grant': [cloudAdmin, domainGrantor],
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

  'identity:list_regions': [anyone],
  'identity:get_region': [anyone],
  'identity:create_region': cloud,
  'identity:update_region': cloud,
  'identity:delete_region': cloud,
  'identity:list_services': cloudReaders,
  'identity:get_service': cloudReaders,
  'identity:create_service': cloud,
  'identity:update_service': cloud,
  'identity:delete_service': cloud,
  'identity:list_endpoints': cloudReaders,
  'identity:get_endpoint': cloudReaders,
  'identity:create_endpoint': cloud,
  'identity:update_endpoint': cloud,
  'identity:delete_endpoint': cloud,

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

  'identity:ec2_list_credentials': [...cloudReaders, ownerInPerson],
  'identity:ec2_get_credential': [...cloudReaders, ownerInPerson],
  'identity:ec2_create_credential': [cloudAdmin, ownerInPerson],
  'identity:ec2_delete_credential': [cloudAdmin, ownerInPerson],
  'identity:get_access_key': [service],
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
} as const satisfies Readonly<Record<string, readonly Persona[]>>;

export type Operation = keyof typeof POLICY;

/** @throws ForbiddenError naming the operation, when the caller is none of its personas */
export function authorise(
  ctx: RequestContext,
  operation: Operation,
  target: PolicyTarget = NOTHING,
): void {
  const personas: readonly Persona[] = POLICY[operation];
  if (personas.some((persona) => persona.is(ctx, target))) return;
  throw new ForbiddenError(`You are not authorized to perform the requested action: ${operation}.`);
}
