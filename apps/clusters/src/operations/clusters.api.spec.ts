import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startClusters, type ClustersFixture } from '../clusters.fixture.js';

let fixture: ClustersFixture;

beforeAll(async () => {
  fixture = await startClusters();
});
afterAll(() => fixture.stop());

async function made(fields: object = {}): Promise<string> {
  const id = await fixture.createCluster(fields);
  await fixture.settle();
  return id;
}

describe('a cluster', () => {
  it('is created with its nodes', async () => {
    const id = await made({ name: 'web', node_count: 2, keypair: 'mine' });
    expect(await fixture.show(id)).toMatchObject({
      uuid: id,
      name: 'web',
      status: 'CREATE_COMPLETE',
      status_reason: null,
      node_count: 2,
      master_count: 1,
      node_addresses: [expect.any(String), expect.any(String)],
      master_addresses: [expect.any(String)],
      api_address: expect.stringMatching(/^https:\/\/198\.51\.100\.\d+:6443$/),
      coe_version: 'v0.0.0-simulated',
      conditions: {
        infrastructure: { status: 'ready' },
        control_plane: { status: 'ready' },
        nodes: { status: 'ready' },
        addons: { status: 'ready' },
      },
    });
  });

  it('is deleted with its trusts', async () => {
    const before = fixture.trusts.given.size;
    const id = await made();
    expect((await fixture.ask('DELETE', `/v1/clusters/${id}`)).status).toBe(204);
    await fixture.settle();
    expect((await fixture.ask('GET', `/v1/clusters/${id}`)).status).toBe(404);
    expect(fixture.trusts.given.size).toBe(before);
  });

  it('is deleted, whatever Content-Type comes without a body', async () => {
    const id = await made();
    const answer = await fixture.client.send('DELETE', `/v1/clusters/${id}`, {
      token: fixture.token,
      headers: { 'Content-Type': 'application/octet-stream', 'Content-Length': '0' },
    });
    expect(answer.status).toBe(204);
    await fixture.settle();
  });
});
