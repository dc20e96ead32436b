import { Domain } from '../domains/domain.entity.js';
import { Project } from '../projects/project.entity.js';
import { Revocation } from '../revocations/revocation.entity.js';
import { RoleAssignment } from '../role-assignments/role-assignment.entity.js';
import { Role } from '../roles/role.entity.js';
import { SigningKey } from '../signing-keys/signing-key.entity.js';
import { User } from '../users/user.entity.js';

export const identityEntities = [
  Domain,
  Project,
  User,
  Role,
  RoleAssignment,
  SigningKey,
  Revocation,
];
