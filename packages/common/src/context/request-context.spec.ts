import { describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { asId } from './ids.js';
import { RequestContext } from './request-context.js';

const manager = { name: 'manager' } as unknown as EntityManager;

const ctx = new RequestContext({
  requestId: asId('req-1'),
  globalRequestId: asId('req-0'),
  userId: asId('user'),
  projectId: asId('project'),
  roles: ['member'],
  manager,
  token: 'secret',
  baseUrl: 'http://host',
});

describe('a request context', () => {
  it('never puts the token into a job', () => {
    expect(JSON.stringify(ctx.serialise())).not.toContain('secret');
  });

  it('restores the same caller in a job', () => {
    const again = RequestContext.deserialise(ctx.serialise(), manager);
    expect([again.requestId, again.globalRequestId, again.userId, again.projectId]).toEqual([
      'req-1',
      'req-0',
      'user',
      'project',
    ]);
    expect(again.roles).toEqual(['member']);
  });

  it('keeps the caller in a transaction', () => {
    const other = { name: 'other' } as unknown as EntityManager;
    const moved = ctx.withManager(other);
    expect(moved.manager).toBe(other);
    expect(moved.projectId).toBe('project');
  });

  it('has no project for an unscoped token', () => {
    expect(() => RequestContext.system('req-1', manager).projectId).toThrow(/no project/);
  });
});
