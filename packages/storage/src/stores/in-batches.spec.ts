import { Readable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { inBatches } from './in-batches.js';

it.each([
  [0, []],
  [2, [[0, 1]]],
  [5, [[0, 1], [2, 3], [4]]],
])('%i come in pieces of two', async (count, pieces) => {
  const all = Readable.from(Array.from({ length: count }, (_, at) => at)) as AsyncIterable<number>;
  const found: number[][] = [];
  for await (const one of inBatches(all, 2)) found.push(one);
  expect(found).toEqual(pieces);
});
