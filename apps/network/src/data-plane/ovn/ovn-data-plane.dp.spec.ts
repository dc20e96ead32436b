import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { balancerContract } from '../balancer-contract.fixture.js';
import {
  dataPlaneContract,
  networkSpec,
  portSpec,
  routerSpec,
} from '../data-plane-contract.fixture.js';
import { newMac, TestHost } from './host/test-host.fixture.js';

let test: TestHost;

beforeAll(async () => {
  test = await TestHost.start();
});
afterAll(() => test.stop());

describe('the data plane of OVN', () => {
  dataPlaneContract(async () => {
    await test.clear();
    return {
      dataPlane: test.dataPlane,
      plug: async (id) => {
        // A disabled port is plugged in all the same.
        await test.plug({ id, macAddress: newMac() });
      },
    };
  });

  balancerContract(async () => {
    await test.clear();
    return test.dataPlane;
  });
});

it('removes a port that a router has taken over from its security groups', async () => {
  await test.clear();
  const { dataPlane, northbound } = test;
  const network = networkSpec();
  await dataPlane.ensureNetwork(network);
  const router = routerSpec([network]);
  const { portId = '' } = router.interfaces[0] ?? {};
  await dataPlane.ensurePort(portSpec(network, { id: portId }));
  const held = async () => {
    await northbound.catchUp();
    const groups = [...northbound.rows.of('Port_Group').values()];
    const isGrouped = groups.some(({ ports }) => (ports as readonly string[]).includes(portId));
    const secured = northbound.rows.find('Logical_Switch_Port', portId)?.['port_security'];
    return { isGrouped, isSecured: (secured as readonly string[]).length > 0 };
  };
  expect(await held()).toEqual({ isGrouped: true, isSecured: true });
  await dataPlane.ensureRouter(router);
  expect(await held()).toEqual({ isGrouped: false, isSecured: false });
});

it('has lost no daemon', () => {
  expect(test.ended).toEqual([]);
});
