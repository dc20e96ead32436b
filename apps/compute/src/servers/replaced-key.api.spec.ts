/** A password that one key has sealed is sealed anew under the next. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Seal } from '@cumulet/common/crypto/seal';
import { Resealing } from '@cumulet/common/sealing/resealing';
import { type ComputeFixture, startCompute } from '../compute.fixture.js';

let compute: ComputeFixture;

beforeAll(async () => {
  compute = await startCompute({ config: { role: 'api' } });
});
afterAll(() => compute.stop());

it('seals the passwords of servers that are not built yet', async () => {
  const made = await compute.createServer({ adminPass: 'horse' });
  expect(made.status).toBe(202);
  const { secretKey } = compute.config;
  const both = await startCompute({
    beside: compute,
    config: { role: 'api', secretKey: 'the next key', oldSecretKeys: [secretKey] },
  });
  await both.app.nest.get(Resealing).renew(both.ctx);
  await both.stop();
  const rows: { sealed: string }[] = await compute.app.dataSource.query(
    'SELECT admin_password AS sealed FROM servers',
  );
  const next = new Seal('the next key');
  expect(rows.map(({ sealed }) => next.open(sealed))).toEqual(['horse']);
});
