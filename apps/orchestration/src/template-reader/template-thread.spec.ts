import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { expect, it } from '@jest/globals';
import { perform } from './template-thread.js';

const LIMITS = { maxBytes: 1_000, maxNodes: 100, maxDepth: 10, maxAliases: 0 };

it('reports that its work begins, which starts its time', async () => {
  const { port1: begun, port2: begins } = new MessageChannel();
  const told = once(begun, 'message');
  const outcome = perform({ work: 'parse', args: ['a: 1', LIMITS, 'template'], begins });
  expect(outcome).toEqual({ result: { a: 1 } });
  await told;
  begun.close();
});
