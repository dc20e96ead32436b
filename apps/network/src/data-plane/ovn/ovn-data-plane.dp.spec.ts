import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dataPlaneContract } from '../data-plane-contract.fixture.js';
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
        // One that is switched off is plugged in all the same.
        await test.plug({ id, macAddress: newMac() });
      },
    };
  });
});

it('ended nothing by itself', () => {
  expect(test.ended).toEqual([]);
});
