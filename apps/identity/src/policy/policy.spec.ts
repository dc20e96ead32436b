import { describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { authorise, type Operation, type PolicyTarget } from './policy.js';

interface Caller {
  readonly roles?: readonly string[];
  readonly projectId?: string;
  readonly domainId?: string;
}

function may(caller: Caller, operation: Operation, target?: PolicyTarget): boolean {
  const { roles = [], projectId, domainId } = caller;
  const ctx = new RequestContext({
    requestId: asId('req'),
    userId: asId('me'),
    roles,
    projectId: projectId === undefined ? undefined : asId(projectId),
    domainId: domainId === undefined ? undefined : asId(domainId),
    manager: {} as EntityManager,
  });
  try {
    authorise(ctx, operation, target);
    return true;
  } catch {
    return false;
  }
}

const projectAdmin = { roles: ['admin'], projectId: 'p', domainId: 'd' };
const systemAdmin = { roles: ['admin'] };
const domainAdmin = { roles: ['admin'], domainId: 'd' };
const reader = { roles: ['reader'], projectId: 'p', domainId: 'd' };
const service = { roles: ['service'], projectId: 's', domainId: 'd' };

describe('authorise', () => {
  it('lets administrators of a project and of the system list, but not those of a domain', () => {
    expect(may(projectAdmin, 'identity:list_users')).toBe(true);
    expect(may(systemAdmin, 'identity:list_users')).toBe(true);
    expect(may(domainAdmin, 'identity:list_users')).toBe(false);
    expect(may(reader, 'identity:list_users')).toBe(false);
  });

  it('lets a user see itself and no other', () => {
    expect(may(reader, 'identity:get_user', { userId: 'me' })).toBe(true);
    expect(may(reader, 'identity:get_user', { userId: 'you' })).toBe(false);
    expect(may({}, 'identity:list_user_projects', { userId: 'me' })).toBe(true);
  });

  it('lets a reader see the project of its token and no other', () => {
    expect(may(reader, 'identity:get_project', { projectId: 'p' })).toBe(true);
    expect(may(reader, 'identity:get_project', { projectId: 'q' })).toBe(false);
    expect(may({ ...reader, roles: ['unknown'] }, 'identity:get_project', { projectId: 'p' })).toBe(
      false,
    );
  });

  it('takes an absent id for nobody', () => {
    expect(may({}, 'identity:get_project')).toBe(false);
    expect(may({}, 'identity:get_domain')).toBe(false);
    expect(may({}, 'identity:get_user')).toBe(false);
  });

  it('lets services validate tokens and read revocations, but revoke none', () => {
    expect(may(service, 'identity:validate_token', { userId: 'you' })).toBe(true);
    expect(may(service, 'identity:list_revoke_events')).toBe(true);
    expect(may(service, 'identity:revoke_token', { userId: 'you' })).toBe(false);
  });

  it('names the operation that it refuses', () => {
    expect(() =>
      authorise(
        RequestContext.deserialise(
          { requestId: 'req', userId: 'me', roles: [] },
          {} as EntityManager,
        ),
        'identity:list_roles',
      ),
    ).toThrow('You are not authorized to perform the requested action: identity:list_roles.');
  });
});
