/** The project in a path. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { startRecorded, type RecordedFixture } from '../orchestration.fixture.js';

let fixture: RecordedFixture;

beforeAll(async () => {
  fixture = await startRecorded();
});
afterAll(() => fixture.stop());

const statusOf = async (path: string, token: string): Promise<number> =>
  (await fixture.client.get(path, { token })).status;

it("the project of a path may be the token's, with or without dashes", async () => {
  const { projectId, token } = fixture;
  const dashed = projectId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  expect(await statusOf('/stacks', token)).toBe(200);
  for (const id of [projectId, dashed, projectId.toUpperCase()])
    expect(await statusOf(`/v1/${id}/stacks`, token)).toBe(200);
});

it("the project of a path may be another's for administrators and sister services only", async () => {
  const { token, admin, tokens } = fixture;
  const path = `/v1/${newId()}/stacks`;
  expect(await statusOf(path, token)).toBe(403);
  expect(await statusOf(path, admin)).toBe(200);
  expect(await statusOf(path, await tokens.issue(['service']))).toBe(200);
});

it('the version document is served with and without a project', async () => {
  const { client, token } = fixture;
  for (const path of ['/', '/v1', '/v1/', `/v1/${newId()}`]) {
    const { status, body } = await client.get(path, { token });
    const links = [{ rel: 'self', href: `${client.baseUrl}/v1/` }];
    expect([status, body]).toEqual([300, { versions: [{ id: 'v1.0', status: 'CURRENT', links }] }]);
  }
});
