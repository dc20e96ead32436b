/** The contract of every data plane with balancers. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { BalancerSpec } from './balancer-spec.js';
import type { DataPlane, NetworkSpec } from './data-plane.js';
import { networkSpec, routerSpec } from './data-plane-contract.fixture.js';

export function balancerContract(start: () => Promise<DataPlane>): void {
  let dataPlane: DataPlane;

  beforeEach(async () => {
    dataPlane = await start();
  });

  describe('a balancer', () => {
    const balancerOn = (network: NetworkSpec): BalancerSpec => ({
      id: randomUUID(),
      projectId: network.projectId,
      portId: randomUUID(),
      networkId: network.id,
      macAddress: 'fa:16:3e:00:03:01',
      addresses: [{ address: '10.1.0.30', cidr: '10.1.0.0/24' }],
      listeners: [
        {
          id: randomUUID(),
          protocol: 'tcp',
          port: 80,
          affinitySeconds: 60,
          check: { intervalSeconds: 5, timeoutSeconds: 3, successCount: 1, failureCount: 3 },
          members: [
            {
              id: 'member',
              address: '10.1.0.5',
              port: 8080,
              networkId: network.id,
              checkedFrom: '10.1.0.4',
            },
          ],
        },
      ],
    });
    const balancers = async () => (await dataPlane.inventory()).balancers;

    it('waits for its network', async () => {
      await expect(dataPlane.ensureBalancer(balancerOn(networkSpec()))).rejects.toMatchObject({
        kind: 'transient',
      });
      expect(await balancers()).toEqual([]);
    });

    it('can be ensured repeatedly, with any change', async () => {
      const network = networkSpec();
      await dataPlane.ensureNetwork(network);
      const balancer = balancerOn(network);
      for (const one of [balancer, balancer, { ...balancer, listeners: [] }, balancer])
        await dataPlane.ensureBalancer(one);
      expect(await balancers()).toEqual([balancer.id]);
      expect([...(await dataPlane.balancerHealth()).keys()]).toEqual([balancer.id]);
    });

    it('keeps its network, and can be removed repeatedly', async () => {
      const network = networkSpec();
      await dataPlane.ensureNetwork(network);
      const balancer = balancerOn(network);
      await dataPlane.ensureBalancer(balancer);
      await expect(dataPlane.removeNetwork(network.id)).rejects.toMatchObject({
        kind: 'transient',
      });
      await dataPlane.removeBalancer(balancer.id);
      await dataPlane.removeBalancer(balancer.id);
      expect(await balancers()).toEqual([]);
      await dataPlane.removeNetwork(network.id);
      expect((await dataPlane.inventory()).networks).toEqual([]);
    });

    it('does not keep a router', async () => {
      const network = networkSpec();
      await dataPlane.ensureNetwork(network);
      const balancer = balancerOn(network);
      await dataPlane.ensureBalancer(balancer);
      const router = routerSpec([network]);
      await dataPlane.ensureRouter(router);
      await dataPlane.ensureBalancer(balancer);
      await dataPlane.removeRouter(router.id);
      const { routers } = await dataPlane.inventory();
      expect({ routers, balancers: await balancers() }).toEqual({
        routers: [],
        balancers: [balancer.id],
      });
    });
  });
}
