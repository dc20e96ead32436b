import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import {
  grant,
  makeRole,
  onProject,
  rolesOf,
  startGrantWorld,
  statusOf,
  tokenFor,
  type GrantWorld,
} from '../grants/grants.fixture.js';

let world: GrantWorld;

beforeAll(async () => {
  world = await startGrantWorld();
});
afterAll(() => world.identity.stop());

/** A request about roles by their names. */
function ask(
  method: string,
  prior: string,
  implied?: string,
  token = world.admin,
): Promise<TestResponse> {
  const id = (name: string): string => world.roles[name] ?? name;
  const path = `/v3/roles/${id(prior)}/implies${implied === undefined ? '' : `/${id(implied)}`}`;
  return world.client.send(method, path, { token });
}

async function makeRoles(...names: string[]): Promise<void> {
  for (const name of names) await makeRole(world, name);
}

const message = (response: TestResponse): string =>
  (response.body as { error: { message: string } }).error.message;

const shown = (name: string): object => ({
  id: world.roles[name],
  name,
  links: { self: `${world.client.baseUrl}/v3/roles/${world.roles[name] ?? ''}` },
});

describe('an inference', () => {
  it('is created, shown, checked and deleted', async () => {
    await makeRoles('chief', 'clerk');
    const body = {
      role_inference: { prior_role: shown('chief'), implies: shown('clerk') },
      links: { self: `${world.client.baseUrl}/v3/roles/chief/implies/clerk` },
    };
    const made = await ask('PUT', 'chief', 'clerk');
    expect(made.status).toBe(201);
    expect(made.body).toEqual(body);
    const got = await ask('GET', 'chief', 'clerk');
    expect(got.status).toBe(200);
    expect(got.body).toEqual(body);
    expect((await ask('HEAD', 'chief', 'clerk')).status).toBe(204);
    expect((await ask('DELETE', 'chief', 'clerk')).status).toBe(204);
    for (const method of ['GET', 'HEAD', 'DELETE']) {
      expect((await ask(method, 'chief', 'clerk')).status).toBe(404);
    }
    expect(message(await ask('GET', 'chief', 'clerk'))).toContain('chief does not imply clerk');
  });

  it('cannot be created twice', async () => {
    await makeRoles('once', 'again');
    await ask('PUT', 'once', 'again');
    const response = await ask('PUT', 'once', 'again');
    expect(response.status).toBe(409);
    expect(message(response)).toBe('The role once implies the role again already.');
  });

  it.each([
    ['nothing', 'member'],
    ['member', 'nothing'],
  ])('names the role that is not there: %s to %s', async (prior, implied) => {
    for (const method of ['PUT', 'GET', 'DELETE']) {
      const response = await ask(method, prior, implied);
      expect(response.status).toBe(404);
      expect(message(response)).toBe('Could not find role: nothing.');
    }
  });

  it('never leads to admin', async () => {
    await makeRoles('climber');
    const response = await ask('PUT', 'climber', 'admin');
    expect(response.status).toBe(403);
    expect(message(response)).toContain("no role may imply 'admin'");
  });

  it('leads from a role of a domain to any role, and not from a global role to it', async () => {
    await makeRole(world, 'acme-boss', 'acme');
    await makeRole(world, 'acme-hand', 'acme');
    await makeRole(world, 'globex-hand', 'globex');
    expect((await ask('PUT', 'acme-boss', 'acme-hand')).status).toBe(201);
    expect((await ask('PUT', 'acme-boss', 'member')).status).toBe(201);
    expect((await ask('PUT', 'acme-boss', 'globex-hand')).status).toBe(201);
    const response = await ask('PUT', 'member', 'acme-hand');
    expect(response.status).toBe(403);
    expect(message(response)).toContain('cannot imply the role acme-hand');
  });
});

describe('a cycle', () => {
  it('is refused for a role itself', async () => {
    const response = await ask('PUT', 'member', 'member');
    expect(response.status).toBe(409);
    expect(message(response)).toBe("The role 'member' would imply itself: member -> member.");
  });

  it('is refused through several roles, which the error lists', async () => {
    await makeRoles('one', 'two', 'three');
    await ask('PUT', 'one', 'two');
    await ask('PUT', 'two', 'three');
    const response = await ask('PUT', 'three', 'one');
    expect(response.status).toBe(409);
    expect(message(response)).toBe(
      "The role 'three' would imply itself: three -> one -> two -> three.",
    );
  });

  it('cannot be closed by two concurrent requests', async () => {
    for (const pair of ['a', 'b', 'c', 'd']) {
      const [left, right] = [`left-${pair}`, `right-${pair}`];
      await makeRoles(left, right);
      const answers = await Promise.all([ask('PUT', left, right), ask('PUT', right, left)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    }
  });
});

describe('GET /v3/roles/{role_id}/implies', () => {
  it('lists what the role implies by itself', async () => {
    await makeRoles('top', 'first', 'second', 'deep');
    await ask('PUT', 'top', 'second');
    await ask('PUT', 'top', 'first');
    await ask('PUT', 'first', 'deep');
    expect((await ask('GET', 'top')).body).toEqual({
      role_inference: { prior_role: shown('top'), implies: [shown('first'), shown('second')] },
      links: { self: `${world.client.baseUrl}/v3/roles/top/implies` },
    });
    expect((await ask('GET', 'deep')).body).toMatchObject({
      role_inference: { prior_role: shown('deep'), implies: [] },
    });
    expect((await ask('GET', 'nothing')).status).toBe(404);
  });
});

describe('GET /v3/role_inferences', () => {
  it('lists all, with those that every cloud has', async () => {
    const response = await world.client.get('/v3/role_inferences', { token: world.admin });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      role_inferences: expect.arrayContaining([
        { prior_role: shown('admin'), implies: [shown('member')] },
        { prior_role: shown('member'), implies: [shown('reader')] },
      ]),
      links: { self: `${world.client.baseUrl}/v3/role_inferences` },
    });
  });
});

describe('an implied role', () => {
  it('is in tokens, also through roles of a domain, which are not', async () => {
    await makeRole(world, 'acme-lead', 'acme');
    await makeRoles('planner');
    await ask('PUT', 'acme-lead', 'planner');
    await ask('PUT', 'planner', 'reader');
    await grant(world, 'projects/top/users/alice/roles/acme-lead');
    expect(await rolesOf(world, 'alice', onProject('top'))).toEqual(['planner', 'reader']);
  });

  it('is revoked at once from all users who have it by the inference', async () => {
    await makeRoles('source', 'middle', 'target');
    await ask('PUT', 'source', 'middle');
    await ask('PUT', 'middle', 'target');
    await grant(world, 'projects/side/users/alice/roles/middle');
    await grant(world, 'projects/side/groups/devs/roles/source');
    await grant(world, 'projects/far/users/gina/roles/target');
    const [alice, bob, gina] = [
      await tokenFor(world, 'alice', onProject('side')),
      await tokenFor(world, 'bob', onProject('side')),
      await tokenFor(world, 'gina', onProject('far')),
    ];
    expect((await ask('DELETE', 'middle', 'target')).status).toBe(204);
    expect(await statusOf(world, alice)).toBe(401);
    expect(await statusOf(world, bob)).toBe(401);
    expect(await statusOf(world, gina)).toBe(200);
    expect(await rolesOf(world, 'bob', onProject('side'))).toEqual(['middle', 'source']);
  });
});

it('is allowed for administrators of the cloud only', async () => {
  await grant(world, 'projects/side/users/bob/roles/member');
  const member = await tokenFor(world, 'bob', onProject('side'));
  expect((await ask('PUT', 'member', 'service', member)).status).toBe(403);
  expect((await ask('GET', 'member', undefined, member)).status).toBe(403);
  expect((await world.client.get('/v3/role_inferences', { token: member })).status).toBe(403);
});
