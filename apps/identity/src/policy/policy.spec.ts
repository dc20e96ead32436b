import { describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import type { Delegation } from '@cumulet/common/context/token-claims';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { NOTHING, type PolicyTarget, type Subject } from './policy-target.js';
import { authorise, type Operation } from './policy.js';

interface Caller {
  readonly roles?: readonly string[];
  readonly projectId?: string;
  readonly domainId?: string;
  readonly delegation?: Delegation;
}

function may(caller: Caller, operation: Operation, target: Partial<PolicyTarget> = {}): boolean {
  const { roles = [], projectId, domainId, delegation } = caller;
  const ctx = new RequestContext({
    requestId: asId('req'),
    userId: asId('me'),
    roles,
    projectId: projectId === undefined ? undefined : asId(projectId),
    domainId: domainId === undefined ? undefined : asId(domainId),
    delegation,
    manager: {} as EntityManager,
  });
  try {
    authorise(ctx, operation, { ...NOTHING, ...target });
    return true;
  } catch {
    return false;
  }
}

const projectAdmin = { roles: ['admin'], projectId: 'p', domainId: 'd' };
const systemAdmin = { roles: ['admin'] };
const systemReader = { roles: ['reader'] };
const domainAdmin = { roles: ['admin'], domainId: 'd' };
const domainReader = { roles: ['reader'], domainId: 'd' };
const reader = { roles: ['reader'], projectId: 'p', domainId: 'd' };
const service = { roles: ['service'], projectId: 's', domainId: 'd' };

const user = (domainId = 'd', id = 'u'): Subject => ({ kind: 'user', id, domainId });
const project = (id = 'p', domainId = 'd'): Subject => ({ kind: 'project', id, domainId });
const role = (domainId: string | null = null): Subject => ({ kind: 'role', id: 'r', domainId });

describe('a cloud admin', () => {
  it('is the role admin on a project or on the system, but not on a domain', () => {
    expect(may(projectAdmin, 'identity:create_domain')).toBe(true);
    expect(may(systemAdmin, 'identity:create_domain')).toBe(true);
    expect(may(domainAdmin, 'identity:create_domain')).toBe(false);
    expect(may(reader, 'identity:create_domain')).toBe(false);
  });
});

describe('a system reader', () => {
  it('reads everything and changes nothing', () => {
    expect(may(systemReader, 'identity:list_services')).toBe(true);
    expect(may(systemReader, 'identity:get_user', { subjects: [user('any')] })).toBe(true);
    expect(may(systemReader, 'identity:create_user', { newIn: 'default' })).toBe(false);
  });

  it('is not a reader of some project', () => {
    expect(may(reader, 'identity:list_services')).toBe(false);
    expect(may({}, 'identity:list_services')).toBe(false);
  });
});

describe('the service of a domain', () => {
  const ofDomain = { roles: ['service'], domainId: 'd' };

  it('manages the users of that domain, and of no other', () => {
    expect(may(ofDomain, 'identity:create_user', { newIn: 'd' })).toBe(true);
    expect(may(ofDomain, 'identity:create_user', { newIn: 'e' })).toBe(false);
    expect(may(ofDomain, 'identity:delete_user', { subjects: [user('d')] })).toBe(true);
    expect(may(ofDomain, 'identity:delete_user', { subjects: [user('e')] })).toBe(false);
    expect(may(service, 'identity:create_user', { newIn: 'd' })).toBe(false);
  });

  it('learns that a user does not exist', () => {
    expect(may(ofDomain, 'identity:delete_user', { subjects: [undefined] })).toBe(true);
    expect(may(service, 'identity:delete_user', { subjects: [undefined] })).toBe(false);
  });

  it('manages their projects and access keys', () => {
    expect(may(ofDomain, 'identity:update_user', { subjects: [user('d')] })).toBe(true);
    expect(may(ofDomain, 'identity:create_project', { newIn: 'd' })).toBe(true);
    expect(may(ofDomain, 'identity:create_project', { newIn: 'e' })).toBe(false);
    expect(may(ofDomain, 'identity:delete_project', { subjects: [project('p', 'e')] })).toBe(false);
    for (const action of ['create', 'delete'] as const) {
      const key = `identity:ec2_${action}_credential` as const;
      expect(may(ofDomain, key, { subjects: [user('d')] })).toBe(true);
      expect(may(ofDomain, key, { subjects: [user('e')] })).toBe(false);
    }
  });

  it('grants them the role of users of stacks, and no other', () => {
    const grant = (grantedRoles: readonly string[], subjects = [user(), project(), role()]) =>
      may(ofDomain, 'identity:create_grant', { subjects, grantedRoles, grantsOnProjects: true });
    expect(grant(['heat_stack_user'])).toBe(true);
    expect(grant(['heat_stack_user'], [user('e'), project(), role()])).toBe(false);
    expect(grant(['heat_stack_user'], [user(), project('p', 'e'), role()])).toBe(false);
    for (const roles of [[], ['reader'], ['admin'], ['service'], ['heat_stack_user', 'reader']])
      expect(grant(roles)).toBe(false);
  });

  it('does nothing else there', () => {
    expect(may(ofDomain, 'identity:update_project', { subjects: [project('p', 'd')] })).toBe(false);
    expect(may(ofDomain, 'identity:create_group', { newIn: 'd' })).toBe(false);
  });
});

describe('a domain admin', () => {
  it('changes what its domain owns, and nothing of another', () => {
    expect(may(domainAdmin, 'identity:update_user', { subjects: [user('d')] })).toBe(true);
    expect(may(domainAdmin, 'identity:update_user', { subjects: [user('e')] })).toBe(false);
    expect(may(domainReader, 'identity:update_user', { subjects: [user('d')] })).toBe(false);
  });

  it('learns nothing of what does not exist', () => {
    expect(may(domainAdmin, 'identity:get_user', { subjects: [undefined] })).toBe(false);
  });

  it('creates in its own domain alone', () => {
    expect(may(domainAdmin, 'identity:create_user', { newIn: 'd' })).toBe(true);
    expect(may(domainAdmin, 'identity:create_user', { newIn: 'e' })).toBe(false);
  });

  it('grants roles to its users on its projects, with roles of all domains or of its own', () => {
    const grant = (...subjects: Subject[]): boolean =>
      may(domainAdmin, 'identity:create_grant', { subjects });
    expect(grant(user(), project(), role())).toBe(true);
    expect(grant(user(), project(), role('d'))).toBe(true);
    expect(grant(user('e'), project(), role())).toBe(false);
    expect(grant(user(), project('p', 'e'), role())).toBe(false);
    expect(grant(user(), project(), role('e'))).toBe(false);
  });

  it('makes nobody an administrator of the cloud, nor a service', () => {
    const subjects = [user(), project(), role('d')];
    const grant = (target: Partial<PolicyTarget>): boolean =>
      may(domainAdmin, 'identity:create_grant', { subjects, ...target });
    expect(grant({ grantedRoles: ['member', 'admin'], grantsOnProjects: true })).toBe(false);
    expect(grant({ grantedRoles: ['admin'], grantsOnProjects: false })).toBe(true);
    expect(grant({ grantedRoles: ['service'], grantsOnProjects: false })).toBe(false);
    expect(may(projectAdmin, 'identity:create_grant', { subjects, grantedRoles: ['admin'] })).toBe(
      true,
    );
  });
});

describe('a project user', () => {
  it('sees the project of its token and no other', () => {
    expect(may(reader, 'identity:get_project', { subjects: [project('p')] })).toBe(true);
    expect(may(reader, 'identity:get_project', { subjects: [project('q')] })).toBe(false);
    expect(may(reader, 'identity:get_project', { subjects: [undefined] })).toBe(false);
    expect(may({}, 'identity:get_project')).toBe(false);
  });
});

describe('an owner', () => {
  const mine = { ownerIds: ['me'] };
  const trust: Delegation = { kind: 'trust', id: 't', trustorId: 'me', trusteeId: 'you' };
  const credential: Delegation = { kind: 'application-credential', id: 'a', unrestricted: false };

  it('sees itself and no other', () => {
    expect(may(reader, 'identity:get_user', mine)).toBe(true);
    expect(may(reader, 'identity:get_user', { ownerIds: ['you'] })).toBe(false);
    expect(may({}, 'identity:list_user_projects', mine)).toBe(true);
  });

  it('manages its credentials in person, not by what it has delegated', () => {
    const create = (caller: Caller): boolean =>
      may(caller, 'identity:create_application_credential', mine);
    expect(create(reader)).toBe(true);
    expect(create({ ...reader, delegation: trust })).toBe(false);
    expect(create({ ...reader, delegation: credential })).toBe(false);
    expect(create({ ...reader, delegation: { ...credential, unrestricted: true } })).toBe(true);
  });

  it('is the only user who can create its credentials, administrators included', () => {
    expect(may(projectAdmin, 'identity:create_application_credential', { ownerIds: ['you'] })).toBe(
      false,
    );
  });
});

describe('a service', () => {
  it('sees projects, and changes none', () => {
    const subjects = [project('q')];
    expect(may(service, 'identity:get_project', { subjects })).toBe(true);
    expect(may(service, 'identity:update_project', { subjects })).toBe(false);
  });

  it('validates tokens, reads revocations and access keys, but revokes nothing', () => {
    expect(may(service, 'identity:validate_token', { ownerIds: ['you'] })).toBe(true);
    expect(may(service, 'identity:list_revoke_events')).toBe(true);
    expect(may(service, 'identity:get_access_key')).toBe(true);
    expect(may(service, 'identity:revoke_token', { ownerIds: ['you'] })).toBe(false);
    expect(may(systemAdmin, 'identity:get_access_key')).toBe(false);
  });
});

it('names the operation that is refused', () => {
  const caller = { requestId: 'req', userId: 'me', roles: [] };
  const ctx = RequestContext.deserialise(caller, {} as EntityManager);
  expect(() => authorise(ctx, 'identity:list_roles')).toThrow(
    'You are not authorized to perform the requested action: identity:list_roles.',
  );
});
