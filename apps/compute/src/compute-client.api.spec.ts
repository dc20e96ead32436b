/** The client for sister services, against the service itself. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ComputeClient } from '@cumulet/clients/compute/compute-client';
import { asBearer, type Actor } from '@cumulet/clients/http/actor';
import { NO_CREDENTIALS } from '@cumulet/clients/http/credentials';
import { startCompute, type ComputeFixture } from './compute.fixture.js';

let compute: ComputeFixture;
let client: ComputeClient;
let actor: Actor;

beforeAll(async () => {
  compute = await startCompute();
  const { baseUrl: computeUrl } = compute.client;
  client = new ComputeClient({ computeUrl, credentials: NO_CREDENTIALS });
  actor = asBearer(compute.token);
});
afterAll(async () => {
  await client.close();
  await compute.stop();
});

describe('ComputeClient', () => {
  it('finds a flavor by its id, or else by its name', async () => {
    const answer = await compute.client.get('/flavors/detail', { token: compute.token });
    const [wire] = (answer.body as { flavors: { id: string; name: string; ram: number }[] })
      .flavors;
    const flavor = { id: wire?.id, name: wire?.name, memoryMb: wire?.ram };
    expect(await client.flavor(actor, wire?.id ?? '')).toMatchObject(flavor);
    expect(await client.flavor(actor, wire?.name ?? '')).toMatchObject(flavor);
    expect(await client.flavor(actor, 'no/such one')).toBeUndefined();
  });

  it("finds the caller's key pair by its name", async () => {
    const body = { keypair: { name: 'mine' } };
    await compute.client.post('/os-keypairs', { token: compute.token, body });
    expect(await client.keypair(actor, 'mine')).toEqual({
      name: 'mine',
      publicKey: expect.stringMatching(/^ssh-/),
    });
    expect(await client.keypair(actor, 'other')).toBeUndefined();
  });

  it('lists servers, and deletes them', async () => {
    const id = await compute.buildServer({ name: 'cluster-1' });
    await compute.buildServer({ name: 'other' });
    const one = { id, name: 'cluster-1', status: 'ACTIVE', fault: undefined };
    expect(await client.servers(actor, { name: '^cluster-' })).toEqual([one]);
    expect(await client.server(actor, id)).toEqual(one);
    await client.deleteServer(actor, id);
    await compute.settle();
    expect(await client.server(actor, id)).toBeUndefined();
    await client.deleteServer(actor, id);
  });
});
