import { expect, it } from '@jest/globals';
import type { Bucket } from '../buckets/bucket.entity.js';
import type { NewLogBatch } from './access-log-batch.repository.js';
import { LogBuffer } from './access-log-recorder.js';
import { logLineOf, type LogLine } from './log-line.js';
import { REQUEST } from './logged-request.fixture.js';

const LOGGING = { bucket: 'logs', prefix: '' };
const [MONDAY, TUESDAY] = [new Date('2026-11-23T23:59:59Z'), new Date('2026-11-24T00:00:00Z')];
const bucketOf = (id: string): Bucket => ({ id, projectId: 'p', region: 'r', name: id }) as Bucket;

const line = (key: string): LogLine => logLineOf({ ...REQUEST, key });

async function drained(buffer: LogBuffer): Promise<NewLogBatch[]> {
  const stored: NewLogBatch[] = [];
  await buffer.drain((batches) => {
    stored.push(...batches);
    return Promise.resolve();
  });
  return stored;
}

it('groups lines by bucket, target and day', async () => {
  const buffer = new LogBuffer(10_000);
  buffer.add(bucketOf('a'), LOGGING, MONDAY, line('1'));
  buffer.add(bucketOf('a'), LOGGING, MONDAY, line('2'));
  buffer.add(bucketOf('a'), LOGGING, TUESDAY, line('3'));
  buffer.add(bucketOf('a'), { ...LOGGING, prefix: 'p' }, MONDAY, line('4'));
  buffer.add(bucketOf('b'), LOGGING, MONDAY, line('5'));
  const stored = await drained(buffer);
  expect(stored.map(({ lines }) => lines)).toEqual([
    line('1') + line('2'),
    line('3'),
    line('4'),
    line('5'),
  ]);
  expect(new Set(stored.map(({ destination }) => destination)).size).toBe(4);
  expect(stored[1]?.source).toEqual({
    projectId: 'p',
    region: 'r',
    name: 'a',
    logging: LOGGING,
    day: '2026-11-24',
  });
  expect([buffer.bytes, await drained(buffer)]).toEqual([0, []]);
});

it('never exceeds its limit, even while lines are being stored', async () => {
  const buffer = new LogBuffer(2_000);
  const add = (): boolean => buffer.add(bucketOf('a'), LOGGING, MONDAY, line('x'.repeat(600)));
  expect([add(), add(), add()]).toEqual([true, true, false]);
  await buffer.drain(() => {
    expect(add()).toBe(false);
    return Promise.resolve();
  });
  expect(add()).toBe(true);
});

it('keeps lines that could not be stored ahead of later ones', async () => {
  const buffer = new LogBuffer(10_000);
  buffer.add(bucketOf('a'), LOGGING, MONDAY, line('1'));
  const failed = buffer.drain(() => {
    buffer.add(bucketOf('a'), LOGGING, MONDAY, line('2'));
    return Promise.reject(new Error('no database'));
  });
  await expect(failed).rejects.toThrow('no database');
  expect((await drained(buffer)).map(({ lines }) => lines)).toEqual([line('1') + line('2')]);
  expect(buffer.bytes).toBe(0);
});
