import { createHash } from 'node:crypto';
import { CopyObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusalOf, TestBucket } from '../../objects/objects.fixture.js';
import { TestS3 } from '../../s3.fixture.js';

let s3: TestS3;

beforeAll(async () => {
  s3 = await TestS3.start();
});
afterAll(() => s3.stop());

/** In a row, and in the store. */
const SIZES = [100, 60_000];
const LETTERS = ['a', 'b', 'c', 'd'];

describe.each(['off', 'enabled', 'suspended'] as const)(
  'with versioning %s, an object',
  (versioning) => {
    it.each(SIZES)(
      'of %i bytes that many overwrite always reads as one of theirs',
      async (size) => {
        const bucket = await TestBucket.create(s3);
        await bucket.setVersioning(versioning);
        const bodies = LETTERS.map((letter) => letter.repeat(size));
        const etags = bodies.map((body) => `"${createHash('md5').update(body).digest('hex')}"`);
        await bucket.put('k', bodies[0] ?? '');
        const write = async (body: string): Promise<void> => {
          for (let round = 0; round < 4; round++) await bucket.put('k', body);
        };
        const read = async (): Promise<void> => {
          for (let round = 0; round < 6; round++) {
            const { ETag, Body } = await bucket.get('k');
            const at = etags.indexOf(ETag ?? '');
            expect(await Body?.transformToString()).toBe(bodies[at]);
          }
        };
        const copy = async (): Promise<void> => {
          for (let round = 0; round < 3; round++) {
            const CopySource = `${bucket.name}/k`;
            await bucket.client.send(
              new CopyObjectCommand({ Bucket: bucket.name, Key: 'copy', CopySource }),
            );
            expect(bodies).toContain(await bucket.text('copy'));
          }
        };
        await Promise.all([...bodies.map(write), read(), read(), copy()]);
        const stored = versioning === 'enabled' ? 1 + 4 * LETTERS.length + 3 : 2;
        expect(await bucket.left()).toMatchObject({ versions: stored });
      },
    );

    it('that must not exist yet is created by one of many writers', async () => {
      const bucket = await TestBucket.create(s3);
      await bucket.setVersioning(versioning);
      const refusals = await Promise.all(
        LETTERS.map((letter, at) =>
          refusalOf(bucket.put('k', letter.repeat(SIZES[at % 2] ?? 1), { IfNoneMatch: '*' })),
        ),
      );
      expect(refusals.sort()).toEqual([
        '412 PreconditionFailed',
        '412 PreconditionFailed',
        '412 PreconditionFailed',
        'accepted',
      ]);
      const kept = (await bucket.left()).versions;
      expect(kept).toBe(1);
    });
  },
);
