/** Projects as tests make and find them, by HTTP as the cloud's administrator unless said otherwise. */
import { expect } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import type { GrantWorld } from '../grants/grants.fixture.js';
import { resourceIn, type OnWire } from '../identity.fixture.js';

interface ProjectRequest {
  readonly project?: object | undefined;
  readonly token?: string | undefined;
}

/** @param path below `/v3/projects` */
export function sendProject(
  { client, admin }: GrantWorld,
  method: string,
  path: string,
  { project, token = admin }: ProjectRequest = {},
): Promise<TestResponse> {
  const body = project && { project };
  return client.send(method, `/v3/projects${path}`, { token, body });
}

/** A new project, in acme unless it says where. */
export async function makeProject(world: GrantWorld, project: object): Promise<OnWire> {
  const response = await sendProject(world, 'POST', '', {
    project: { domain_id: 'acme', ...project },
  });
  expect([response.text, response.status]).toEqual([response.text, 201]);
  return resourceIn(response, 'project');
}

/** The names in a list. @param path below `/v3` */
export async function projectNames(
  { client, admin }: GrantWorld,
  path: string,
  token = admin,
): Promise<string[]> {
  const response = await client.get(`/v3/${path}`, { token });
  expect([path, response.status]).toEqual([path, 200]);
  return (response.body as { projects: OnWire[] }).projects.map(({ name }) => name);
}
