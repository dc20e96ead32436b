import { expect, it } from '@jest/globals';
import { chooseDataPlane, HaproxyMissingError } from './choose-data-plane.js';

const settings = { dataDir: '/nonexistent', searchPath: '/usr/bin', maxConnections: 100 };

it.each(['auto', 'haproxy'] as const)(
  'HAProxy runs load balancers where it is installed (%s)',
  async (dataPlane) => {
    const { driver, reason } = await chooseDataPlane({ ...settings, dataPlane });
    expect(driver.kind).toBe('haproxy');
    expect(reason).toMatch(
      /^HAProxy, one for each load balancer, as (a user of its own|the user of this service), in \/.+$/,
    );
  },
);

it('load balancers are simulated if the settings say so', async () => {
  const { driver } = await chooseDataPlane({ ...settings, dataPlane: 'simulated' });
  expect(driver.kind).toBe('simulated');
});

it('load balancers are simulated if HAProxy is missing, unless the settings require it', async () => {
  const nowhere = { ...settings, searchPath: '/nonexistent' };
  const { driver, reason } = await chooseDataPlane({ ...nowhere, dataPlane: 'auto' }, '');
  expect([driver.kind, reason]).toEqual([
    'simulated',
    'simulated, nothing is carried (haproxy, prlimit, setpriv, nsenter not found)',
  ]);
  await expect(chooseDataPlane({ ...nowhere, dataPlane: 'haproxy' }, '')).rejects.toThrow(
    HaproxyMissingError,
  );
});
