import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { validated } from '@cumulet/common/http/validation';
import { labels, type Labels } from './labels.js';

class Labelled {
  @labels.field({ optional: true })
  labels?: Labels;
}

const labelled = (count: number, value: string): object => ({
  labels: Object.fromEntries(Array.from({ length: count }, (_, at) => [`label-${at}`, value])),
});

it('up to 256 labels may have up to 4,096 characters each', async () => {
  const most = labelled(256, 'x'.repeat(4_096));
  expect(await validated(Labelled, most)).toEqual(most);
  for (const more of [labelled(257, 'x'), labelled(1, 'x'.repeat(4_097))])
    await expect(validated(Labelled, more)).rejects.toThrow('an object of at most 256 names');
});
