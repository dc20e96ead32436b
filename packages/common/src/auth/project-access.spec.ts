import { describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { asId } from '../context/ids.js';
import { RequestContext } from '../context/request-context.js';
import { ForbiddenError, InvalidInputError } from '../errors/domain-error.js';
import { bound } from '../tables/condition.js';
import { inProject, mayActOn, reachable } from './project-access.js';

const as = (...roles: string[]): RequestContext =>
  new RequestContext({
    requestId: asId('req'),
    userId: asId('u'),
    projectId: asId('own'),
    roles,
    manager: {} as EntityManager,
  });

describe('the resources of another project', () => {
  it.each([
    ['reader', false],
    ['member', false],
    ['admin', true],
    ['service', true],
  ])('are within the reach of %s: %s', (role, isReachable) => {
    const ctx = as(role);
    expect(mayActOn(ctx, 'other')).toBe(isReachable);
    expect(mayActOn(ctx, 'own')).toBe(true);
    expect(bound(reachable(ctx)).params).toEqual(isReachable ? [] : ['own']);
  });

  it("are recognised by the row's project property", () => {
    expect(bound(reachable(as('member'), 'owner')).where).toContain('"owner"');
  });
});

describe('a new resource', () => {
  it.each(['member', 'admin'])("belongs to the project of a %s's token", (role) => {
    expect(inProject(as(role), undefined).projectId).toBe('own');
    expect(inProject(as(role), null).projectId).toBe('own');
    expect(inProject(as(role), 'own').projectId).toBe('own');
  });

  it.each(['service', 'admin'])('belongs to the project that a %s names', (role) => {
    expect(inProject(as(role), 'other').projectId).toBe('other');
  });

  it('is refused to a service that names no project', () => {
    expect(() => inProject(as('service'), undefined, 'owner')).toThrow(
      new InvalidInputError(
        'Invalid input: owner is required of a service, which acts for other projects than its own.',
      ),
    );
  });

  it('is refused to members of other projects', () => {
    expect(() => inProject(as('member'), 'other')).toThrow(
      new ForbiddenError(
        "The project_id 'other' is not the token's own project; naming another requires the role admin.",
      ),
    );
  });
});
