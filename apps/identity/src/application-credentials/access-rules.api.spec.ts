import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import {
  messageOf,
  startDelegation,
  unwrap,
  type Delegation,
} from '../trusts/delegation.fixture.js';

const rule = { service: 'compute', method: 'GET', path: '/v2.1/servers/*/ips' };

let world: Delegation;
let user: string;
let credentialId: string;
let ruleId: string;

const ask = (method: string, path = '', token = world.tokens.demo): Promise<TestResponse> =>
  world.identity.client.send(method, `${user}/access_rules${path}`, { token });

beforeAll(async () => {
  world = await startDelegation();
  user = `/v3/users/${world.id('user demo')}`;
  const rules = [rule, { service: 'image', method: 'PUT', path: '/v2/images/{id}/file' }];
  const made = await world.identity.client.post(`${user}/application_credentials`, {
    token: world.tokens.demo,
    body: { application_credential: { name: 'ruled', access_rules: rules } },
  });
  const credential = unwrap(made, 'application_credential');
  credentialId = String(credential['id']);
  ruleId = (credential['access_rules'] as { id: string }[])[0]?.id ?? '';
});
afterAll(() => world.identity.stop());

describe('GET /v3/users/{user_id}/access_rules', () => {
  it('shows one', async () => {
    const response = await ask('GET', `/${ruleId}`);
    const self = `${world.identity.client.baseUrl}${user}/access_rules/${ruleId}`;
    expect(response.body).toEqual({ access_rule: { ...rule, id: ruleId, links: { self } } });
  });

  it('lists those of the user, by what they allow', async () => {
    expect(unwrap(await ask('GET'), 'access_rules')).toHaveLength(2);
    for (const query of ['service=compute', 'method=GET', `path=${rule.path}`]) {
      expect((await ask('GET', `?${query}`)).body).toMatchObject({
        access_rules: [{ id: ruleId }],
      });
    }
    expect((await ask('GET', '?service=volume')).body).toMatchObject({ access_rules: [] });
  });

  it('is allowed for cloud administrators, and for nobody else', async () => {
    expect((await ask('GET', '', world.tokens.admin)).status).toBe(200);
    expect((await ask('GET', '', world.tokens.compute)).status).toBe(403);
    expect((await ask('GET', `/${ruleId}`, world.tokens.compute)).status).toBe(403);
  });

  it('answers 404 for one that is not of the user in the path', async () => {
    const response = await world.identity.client.get(
      `/v3/users/${world.id('user admin')}/access_rules/${ruleId}`,
      { token: world.tokens.admin },
    );
    expect([response.status, messageOf(response)]).toEqual([
      404,
      `Could not find access rule: ${ruleId}.`,
    ]);
  });
});

describe('DELETE /v3/users/{user_id}/access_rules/{access_rule_id}', () => {
  it('answers 404 where there is none, and 403 to others', async () => {
    expect((await ask('DELETE', '/nothing')).status).toBe(404);
    expect((await ask('DELETE', `/${ruleId}`, world.tokens.compute)).status).toBe(403);
  });

  it('answers 403 while a credential uses it, and removes it afterwards', async () => {
    const refused = await ask('DELETE', `/${ruleId}`);
    expect([refused.status, messageOf(refused)]).toEqual([403, expect.stringContaining(ruleId)]);
    const path = `${user}/application_credentials/${credentialId}`;
    await world.identity.client.delete(path, { token: world.tokens.demo });
    expect((await ask('GET', `/${ruleId}`)).status).toBe(200);
    expect((await ask('DELETE', `/${ruleId}`)).status).toBe(204);
    expect((await ask('GET', `/${ruleId}`)).status).toBe(404);
  });
});
