import { expect, it } from '@jest/globals';
import { watchMainThread } from './main-thread.js';

/** Without a break: the event loop gets no turn. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it('a main thread that only works is busy', () => {
  const isBusy = watchMainThread();
  expect(isBusy()).toBe(false);
  work(150);
  expect(isBusy()).toBe(true);
});
