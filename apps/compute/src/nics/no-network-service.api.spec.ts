/** Servers of a cloud that has no network service. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';

const AT = { 'OpenStack-API-Version': 'compute 2.42' };

describe('in a cloud without a network service, a server', () => {
  let alone: ComputeFixture;
  beforeAll(async () => {
    alone = await startCompute({ withoutNetworks: true });
  });
  afterAll(() => alone.stop());

  it('has an isolated NIC, or none', async () => {
    const nicsOf = async (networks: string): Promise<number | undefined> => {
      const body = {
        server: { name: 'a', imageRef: alone.images.bootable, flavorRef: '1', networks },
      };
      const answer = await alone.client.post('/servers', { token: alone.token, headers: AT, body });
      await alone.settle();
      const { id } = (answer.body as { server: { id: string } }).server;
      return alone.hypervisor.world.guests.get(id)?.startedWith?.nics.length;
    };
    expect(await nicsOf('auto')).toBe(1);
    expect(await nicsOf('none')).toBe(0);
  });

  it('cannot name a network', async () => {
    const { status, text } = await alone.createServer({ networks: [{ uuid: randomUUID() }] });
    expect(status).toBe(400);
    expect(text).toContain('needs the network service, which this cloud does not run');
  });
});
