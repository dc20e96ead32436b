import { expect, it } from '@jest/globals';
import { topologyOf } from './hardware-values.js';

it('is left to QEMU by default', () => {
  expect(topologyOf(4, {}, {})).toBeUndefined();
});

it.each([
  [8, { sockets: 2 }, {}, [2, 4, 1]],
  [8, { cores: 2 }, {}, [4, 2, 1]],
  [8, { sockets: 2, cores: 2 }, {}, [2, 2, 2]],
  [8, { sockets: 1, cores: 4, threads: 2 }, {}, [1, 4, 2]],
  // A preference that does not fit is ignored.
  [6, { sockets: 4 }, {}, [6, 1, 1]],
  [8, {}, { sockets: 2 }, [2, 4, 1]],
  [8, {}, { sockets: 2, cores: 2 }, [2, 2, 2]],
])('%i vCPUs, preferring %j within %j, are %j', (vcpus, preferred, max, expected) => {
  const [sockets, cores, threads] = expected;
  expect(topologyOf(vcpus, preferred, max)).toEqual({ sockets, cores, threads });
});

it('is null if the limits allow none', () => {
  expect(topologyOf(8, {}, { sockets: 1, cores: 2, threads: 2 })).toBeNull();
});
