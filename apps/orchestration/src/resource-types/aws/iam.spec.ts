import { describe, expect, it } from '@jest/globals';
import { InvalidTemplateAttributeError } from '../../template/template.errors.js';
import { calledIn, definition, Refusal, testScope } from '../resource-scope.fixture.js';
import type { ResourceFacts } from '../resource-type.js';
import { iamAccessKey, iamUser } from './iam.js';

const MADE = {
  'POST /v3/projects': { project: { id: 'p1' } },
  'POST /v3/users': { user: { id: 'u1' } },
};
const data = { name: 'shop-web-k3jd8s2mxq5p', projectId: 'p1' };

describe('a user of a stack', () => {
  it('is created in a project of its own', async () => {
    const properties = { LoginProfile: { Password: 'hunter2' } };
    const scope = testScope(iamUser, { properties, answers: MADE });
    expect(await iamUser.create(scope)).toEqual({ physicalId: 'u1', data });
    expect(scope.requests.map(({ json }) => json)).toEqual([
      { project: expect.objectContaining({ name: data.name, domain_id: 'stack-users' }) },
      {
        user: expect.objectContaining({
          name: data.name,
          domain_id: 'stack-users',
          default_project_id: 'p1',
          password: 'hunter2',
        }),
      },
    ]);
    expect(iamUser.referenceOf?.({ ...scope.row, data })).toBe(data.name);
  });

  it('leaves no project behind when it is refused', async () => {
    const answers = { ...MADE, 'POST /v3/users': new Refusal(400, 'Too short.') };
    const scope = testScope(iamUser, { answers });
    await expect(iamUser.create(scope)).rejects.toThrow('Too short.');
    expect(calledIn(scope)).toContain('DELETE /v3/projects/p1');
  });

  it('accepts only policies of its stack', () => {
    const one = definition(iamUser.name, { Policies: ['read', { PolicyName: 'of AWS' }] });
    const read = definition('OS::Heat::AccessPolicy', { AllowedResources: [] });
    const of = (all: Parameters<NonNullable<typeof iamUser.validateAmong>>[1]) => () =>
      iamUser.validateAmong?.(one, all);
    expect(of({ one, read })).not.toThrow();
    expect(of({ one })).toThrow(InvalidTemplateAttributeError);
    expect(of({ one, read: one })).toThrow(InvalidTemplateAttributeError);
  });
});

describe('an access key of a stack user', () => {
  const properties = { UserName: data.name };
  const answers = {
    'GET /v3/users': { users: [{ id: 'u1' }] },
    'POST /v3/users/u1/credentials/OS-EC2': { credential: { access: 'a1', secret: 's1' } },
  };
  const user: ResourceFacts = { id: 'r', name: 'user', physicalId: 'u1', data, metadata: {} };

  it("is created for the user's project", async () => {
    const scope = testScope(iamAccessKey, { properties, answers, siblings: { u1: user } });
    expect(await iamAccessKey.create(scope)).toEqual({
      physicalId: 'a1',
      data: { userId: 'u1', secret: 's1' },
    });
    expect(scope.requests.at(-1)?.json).toEqual({ tenant_id: 'p1' });
  });

  it('is refused for a user of another stack', async () => {
    const scope = testScope(iamAccessKey, { properties, answers });
    await expect(iamAccessKey.create(scope)).rejects.toThrow(`could not find user ${data.name}`);
    expect(calledIn(scope)).toEqual(['GET /v3/users']);
  });
});
