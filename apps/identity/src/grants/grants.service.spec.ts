import { describe, expect, it } from '@jest/globals';
import { grantOf, placeOf, tokensBy } from './grants.service.js';

describe('a path', () => {
  it('names an actor and a target', () => {
    expect(grantOf({ project_id: 'p', user_id: 'u', role_id: 'r' }, false)).toEqual({
      userId: 'u',
      groupId: null,
      projectId: 'p',
      domainId: null,
      asProject: false,
      onSystem: false,
      inherited: false,
      roleId: 'r',
    });
    expect(placeOf({ domain_id: 'd', group_id: 'g' }, true)).toEqual({
      userId: null,
      groupId: 'g',
      projectId: null,
      domainId: 'd',
      asProject: false,
      onSystem: false,
      inherited: true,
    });
  });

  it('refers to the system without a target', () => {
    expect(placeOf({ user_id: 'u' }, false).onSystem).toBe(true);
  });
});

describe('the tokens that a grant gives', () => {
  const tokens = (ids: object, inherited = false): unknown =>
    tokensBy(placeOf({ group_id: 'g', ...ids }, inherited), 'u');

  it('are those of its target', () => {
    expect(tokens({ project_id: 'p' })).toEqual({ userId: 'u', projectId: 'p' });
    expect(tokens({ domain_id: 'd' })).toEqual({ userId: 'u', domainId: 'd' });
  });

  it('are any of the user where projects inherit it, and on the system', () => {
    expect(tokens({ project_id: 'p' }, true)).toEqual({ userId: 'u' });
    expect(tokens({ domain_id: 'd' }, true)).toEqual({ userId: 'u' });
    expect(tokens({})).toEqual({ userId: 'u' });
  });
});
