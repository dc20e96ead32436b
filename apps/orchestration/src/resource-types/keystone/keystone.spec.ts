/** Types of the identity service, beyond the tests of `restResource`. */
import { describe, expect, it } from '@jest/globals';
import { calledIn, changed, testScope } from '../resource-scope.fixture.js';
import { domain } from './projects.js';
import { group, user, userRoleAssignment } from './users.js';

describe('a domain', () => {
  it('is disabled before it is deleted', async () => {
    const path = '/v3/domains/id-1';
    const answers = { [`GET ${path}`]: { domain: {} }, [`PATCH ${path}`]: {} };
    const scope = testScope(domain, { answers });
    await domain.remove(scope);
    expect(calledIn(scope)).toEqual([`GET ${path}`, `PATCH ${path}`, `DELETE ${path}`]);
    expect(scope.requests[1]?.json).toEqual({ domain: { enabled: false } });
  });

  it('may be gone already', async () => {
    const scope = testScope(domain);
    await domain.remove(scope);
    expect(calledIn(scope)).toEqual(['GET /v3/domains/id-1']);
  });
});

describe('roles', () => {
  const on = (what: 'project' | 'domain', id: string) => ({ role: 'r', [what]: id });

  it('are granted to existing users and groups', async () => {
    const answers = {
      'GET /v3/users/id-1': { user: {} },
      'PUT /v3/groups/g/users/id-1': {},
      'PUT /v3/projects/p/users/id-1/roles/r': {},
      'PUT /v3/domains/d/users/id-1/roles/r': {},
    };
    const properties = { groups: ['g'], roles: [on('project', 'p'), on('domain', 'd')] };
    const scope = testScope(user, { properties, answers });
    await user.isCreated?.(scope);
    expect(calledIn(scope)).toEqual(Object.keys(answers).slice(1));
  });

  it('of a group are granted and revoked by an update', async () => {
    const answers = { 'PUT /v3/projects/q/groups/id-1/roles/r': {} };
    const properties = { roles: [on('project', 'q')] };
    const before = { roles: [on('project', 'p'), on('project', 'q')] };
    const [scope, change] = changed(group, before, { properties, answers });
    await group.update?.(scope, change);
    expect(calledIn(scope)).toEqual([
      'PUT /v3/projects/q/groups/id-1/roles/r',
      'DELETE /v3/projects/p/groups/id-1/roles/r',
    ]);
  });

  it('are revoked from the former user of an assignment', async () => {
    const roles = [on('project', 'p')];
    const answers = { 'PUT /v3/projects/p/users/b/roles/r': {} };
    const [scope, change] = changed(
      userRoleAssignment,
      { user: 'a', roles },
      { properties: { user: 'b', roles }, answers },
    );
    await userRoleAssignment.update?.(scope, change);
    expect(calledIn(scope).at(-1)).toBe('DELETE /v3/projects/p/users/a/roles/r');
  });

  it.each([[{ role: 'r' }], [{ role: 'r', project: 'p', domain: 'd' }]])(
    'need a project or a domain: %j',
    (grant) => {
      expect(() => user.validate?.({ roles: [grant] })).toThrow(
        'Either project or domain must be specified for role r.',
      );
    },
  );
});
