import { expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { bound, type BoundConditions } from '@cumulet/common/tables/condition';
import { OWNER_DOMAIN } from './limit.resource.js';
import { limits } from './limits.service.js';

interface Caller {
  readonly roles: string[];
  readonly projectId?: string;
  readonly domainId?: string;
}

function visibleTo({ roles, projectId, domainId }: Caller): BoundConditions {
  const conditions = limits.visibleTo(
    new RequestContext({
      requestId: asId('req'),
      userId: asId('me'),
      roles,
      projectId: projectId === undefined ? undefined : asId(projectId),
      domainId: domainId === undefined ? undefined : asId(domainId),
      manager: {} as EntityManager,
    }),
  );
  return bound(conditions);
}

const inProject = { projectId: 'p', domainId: 'd' };

it.each([
  ['an administrator on a project', { roles: ['admin'], ...inProject }],
  ['an administrator of the system', { roles: ['admin'] }],
  ['a reader of the system', { roles: ['reader'] }],
  ['a service', { roles: ['service'], ...inProject }],
])('all are shown to %s', (_, caller) => {
  expect(visibleTo(caller)).toEqual({ where: 'true', params: [] });
});

it('those of a project are shown to whoever has a token of it', () => {
  expect(visibleTo({ roles: ['reader'], ...inProject })).toEqual({
    where: '("projectId" = $1)',
    params: ['p'],
  });
});

it.each(['reader', 'admin'])('those of a domain are shown to a token of it, as %s', (role) => {
  expect(visibleTo({ roles: [role], domainId: 'd' })).toEqual({
    where: `(${OWNER_DOMAIN} = $1)`,
    params: ['d'],
  });
});

it('none are shown to a token without a scope', () => {
  expect(visibleTo({ roles: [] })).toEqual({ where: '(false)', params: [] });
});
