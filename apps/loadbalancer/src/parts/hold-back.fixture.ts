import type { LoadBalancerFixture } from '../loadbalancer.fixture.js';

/**
 * Lets the data plane apply nothing but while the test waits for that: what is PENDING after a
 * request can be seen, however soon the reconciler is.
 */
export function holdBack(given: LoadBalancerFixture): LoadBalancerFixture {
  let held: Promise<void> = Promise.resolve();
  let release = (): void => undefined;
  const hold = (): void => {
    held = new Promise((resolve) => (release = resolve));
  };
  const released = async <T>(work: () => Promise<T>): Promise<T> => {
    release();
    held = Promise.resolve();
    try {
      return await work();
    } finally {
      hold();
    }
  };
  hold();
  given.dataPlane.delay = () => held;
  return {
    ...given,
    settle: () => released(() => given.settle()),
    createLoadBalancer: (...of) => released(() => given.createLoadBalancer(...of)),
    stop: () => released(() => given.stop()),
  };
}
