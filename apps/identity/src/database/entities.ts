import { AccessRule } from '../access-rules/access-rule.entity.js';
import {
  ApplicationCredential,
  ApplicationCredentialAccessRule,
  ApplicationCredentialRole,
} from '../application-credentials/application-credential.entity.js';
import { Credential } from '../credentials/credential.entity.js';
import { StoredDomainConfig } from '../domain-configs/domain-config.entity.js';
import { Domain } from '../domains/domain.entity.js';
import { Endpoint } from '../endpoints/endpoint.entity.js';
import { GroupMember } from '../groups/group-member.entity.js';
import { Group } from '../groups/group.entity.js';
import { Limit } from '../limits/limit.entity.js';
import { FormerPassword } from '../passwords/former-password.entity.js';
import { LoginFailure } from '../passwords/login-failure.entity.js';
import { Project } from '../projects/project.entity.js';
import { Region } from '../regions/region.entity.js';
import { RegisteredLimit } from '../registered-limits/registered-limit.entity.js';
import { Revocation } from '../revocations/revocation.entity.js';
import { RoleAssignment } from '../role-assignments/role-assignment.entity.js';
import { RoleInference } from '../role-inferences/role-inference.entity.js';
import { Role } from '../roles/role.entity.js';
import { Service } from '../services/service.entity.js';
import { SigningKey } from '../signing-keys/signing-key.entity.js';
import { TrustRole } from '../trusts/trust-role.entity.js';
import { Trust } from '../trusts/trust.entity.js';
import { User } from '../users/user.entity.js';

export const identityEntities = [
  Domain,
  StoredDomainConfig,
  Project,
  User,
  FormerPassword,
  LoginFailure,
  Group,
  GroupMember,
  Role,
  RoleInference,
  RoleAssignment,
  Trust,
  TrustRole,
  ApplicationCredential,
  ApplicationCredentialRole,
  AccessRule,
  ApplicationCredentialAccessRule,
  Credential,
  Region,
  Service,
  Endpoint,
  RegisteredLimit,
  Limit,
  SigningKey,
  Revocation,
];
