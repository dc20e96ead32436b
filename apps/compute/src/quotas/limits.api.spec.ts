import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startCompute, unknownId, type ComputeFixture } from '../compute.fixture.js';
import { expectError } from '../errors.fixture.js';

let compute: ComputeFixture;
let admin: string;

beforeAll(async () => {
  compute = await startCompute();
  admin = await compute.tokens.issue(['admin']);
  await compute.buildServer({ flavorRef: '1' });
});
afterAll(() => compute.stop());

const get = (query = '', version = '2.90', token = compute.token) =>
  compute.client.get(`/limits${query}`, {
    token,
    headers: { 'OpenStack-API-Version': `compute ${version}` },
  });

async function absolute(...args: Parameters<typeof get>): Promise<Record<string, number>> {
  const { status, body, text } = await get(...args);
  if (status !== 200) throw new Error(text);
  return (body as { limits: { absolute: Record<string, number> } }).limits.absolute;
}

it("shows the project's limits and usage", async () => {
  expect(await absolute()).toEqual({
    maxTotalInstances: 10,
    maxTotalCores: 20,
    maxTotalRAMSize: 51_200,
    maxServerMeta: 128,
    maxTotalKeypairs: 100,
    maxServerGroups: 10,
    maxServerGroupMembers: 10,
    totalInstancesUsed: 1,
    totalCoresUsed: 1,
    totalRAMUsed: 512,
    totalServerGroupsUsed: 0,
  });
});

it('follows the quotas of the project', async () => {
  compute.projects.add(compute.projectId);
  await compute.client.put(`/os-quota-sets/${compute.projectId}`, {
    token: admin,
    body: { quota_set: { cores: -1 } },
  });
  expect(await absolute()).toMatchObject({ maxTotalCores: -1 });
});

it.each([
  ['2.1', ['maxImageMeta', 'maxPersonality', 'maxTotalFloatingIps', 'totalSecurityGroupsUsed']],
  ['2.36', ['maxImageMeta', 'maxPersonality']],
  ['2.39', ['maxPersonality']],
  ['2.57', []],
])('has the properties of microversion %s', async (version, names) => {
  const all = ['maxImageMeta', 'maxPersonality', 'maxTotalFloatingIps', 'totalSecurityGroupsUsed'];
  const shown = Object.keys(await absolute('', version));
  expect(shown.filter((name) => all.includes(name)).sort()).toEqual([...names].sort());
});

it("shows another project's to administrators alone", async () => {
  const query = `?tenant_id=${compute.projectId}`;
  expect(await absolute(query, '2.90', admin)).toMatchObject({ totalInstancesUsed: 1 });
  const other = compute.projects.add(unknownId());
  const body = { quota_set: { cores: 7 } };
  await compute.client.put(`/os-quota-sets/${other}`, { token: admin, body });
  const empty = { maxTotalCores: 7, totalInstancesUsed: 0 };
  expect(await absolute(`?tenant_id=${other}`, '2.90', admin)).toMatchObject(empty);
  const stranger = await compute.tokens.issue(['member']);
  expectError(
    await get(query, '2.90', stranger),
    403,
    'forbidden',
    "Policy doesn't allow os_compute_api:limits:other_project to be performed.",
  );
  expectError(
    await get('?tenant_id=none', '2.90', admin),
    400,
    'badRequest',
    'Project ID none is not a valid project.',
  );
});
