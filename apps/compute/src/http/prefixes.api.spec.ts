import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';

let compute: ComputeFixture;
let id: string;

beforeAll(async () => {
  compute = await startCompute();
  id = await compute.buildServer();
});

afterAll(async () => {
  await compute.stop();
});

const dashed = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

describe('every prefix is equal', () => {
  it.each<[string, () => string]>([
    ['none', () => ''],
    ['/v2.1', () => '/v2.1'],
    ['/v2.1/{project_id}', () => `/v2.1/${compute.projectId}`],
    ['with dashes in the project id', () => `/v2.1/${dashed(compute.projectId)}`],
  ])('%s', async (_, prefix) => {
    const response = await compute.client.get(`${prefix()}/servers/${id}`, {
      token: compute.token,
    });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      server: {
        id,
        links: [
          { rel: 'self', href: `${compute.client.baseUrl}/v2.1/servers/${id}` },
          { rel: 'bookmark', href: `${compute.client.baseUrl}/servers/${id}` },
        ],
      },
    });
  });
});

describe("a project id that is not the token's", () => {
  it('is refused', async () => {
    const other = newId();
    const response = await compute.client.get(`/v2.1/${other}/servers`, { token: compute.token });
    expect([response.status, response.body]).toEqual([
      400,
      {
        badRequest: {
          code: 400,
          message: `Malformed request URL: its project_id '${other}' is not the project '${compute.projectId}' of the token.`,
        },
      },
    ]);
  });

  it('is accepted from an administrator', async () => {
    const token = await compute.tokens.issue(['admin']);
    const response = await compute.client.get(`/v2.1/${compute.projectId}/servers/${id}`, {
      token,
    });
    expect(response.status).toBe(200);
  });

  it('reveals nothing without a token', async () => {
    const response = await compute.client.get(`/v2.1/${newId()}/servers`);
    expect(response.status).toBe(401);
  });
});
