/** What one key has sealed is read by processes with another, and sealed anew. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Seal } from '@cumulet/common/crypto/seal';
import { Resealing } from '@cumulet/common/sealing/resealing';
import { eventually } from '@cumulet/testing/settle';
import { SignalAddresses } from '../engine/signal-address.js';
import { startWhole, type OrchestrationFixture } from '../orchestration.fixture.js';

const NEW_KEY = '5a'.repeat(32);
const TARGET = { projectId: 'p', stackId: 's', resourceId: 'r' };
const TEMPLATE = {
  heat_template_version: '2021-04-16',
  resources: {
    word: { type: 'OS::Heat::RandomString', properties: { length: 8 } },
    thing: {
      type: 'OS::Heat::TestResource',
      properties: { value: { get_attr: ['word', 'value'] } },
    },
  },
  outputs: {
    thing: { value: { get_attr: ['thing', 'output'] } },
  },
};

interface Shown {
  readonly stack_status: string;
  readonly outputs: unknown;
  readonly parameters: unknown;
}

let first: OrchestrationFixture;

beforeAll(async () => {
  first = await startWhole();
});
afterAll(() => first.stop());

const changed = (changes: Partial<OrchestrationFixture['config']>): Promise<OrchestrationFixture> =>
  startWhole({ beside: first, config: { ...first.config, ...changes } });

async function stackBy({ client }: OrchestrationFixture, id: string): Promise<object> {
  const answer = await client.get(`/v1/${first.projectId}/stacks/one/${id}`, {
    token: first.token,
  });
  const { stack_status, outputs, parameters } = (answer.body as { stack: Shown }).stack;
  return { stack_status, outputs, parameters };
}

/** Texts of any column of any table that are sealed, and not under this key. */
async function sealedOtherwise({ app }: OrchestrationFixture, key: string): Promise<string[]> {
  const columns: { table: string; column: string }[] = await app.dataSource.query(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
      WHERE table_schema = 'public' AND data_type = 'text'`,
  );
  const found: string[] = [];
  for (const { table, column } of columns) {
    const rows: unknown[] = await app.dataSource.query(
      `SELECT FROM "${table}" WHERE "${column}" ~ '^v[12][.]' AND NOT starts_with("${column}", $1)`,
      [new Seal(key).currentPrefix],
    );
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found;
}

it('shows a stack of the old key, seals all of it anew, and signs as before', async () => {
  const { client, token, projectId } = first;
  const stacks = `/v1/${projectId}/stacks`;
  const body = { stack_name: 'one', template: TEMPLATE };
  const answer = await client.post(stacks, { token, body });
  const { id } = (answer.body as { stack: { id: string } }).stack;
  await eventually('the stack is made', async () => {
    const { stack_status } = (await stackBy(first, id)) as Shown;
    return stack_status === 'CREATE_COMPLETE';
  });
  const config = { name: 'script', config: '#!/bin/sh', inputs: [{ name: 'a' }] };
  const made = await client.post(`/v1/${projectId}/software_configs`, { token, body: config });
  expect(made.status).toBe(200);
  const before = await stackBy(first, id);
  const address = first.app.nest.get(SignalAddresses).ofGuests(TARGET);

  const both = await changed({ secretKey: NEW_KEY, oldSecretKeys: [first.config.secretKey] });
  expect(await stackBy(both, id)).toEqual(before);
  expect((await sealedOtherwise(both, NEW_KEY)).length).toBeGreaterThan(5);
  const resealing = both.app.nest.get(Resealing);
  await resealing.renew(both.ctx);
  await resealing.renew(both.ctx);
  expect(await sealedOtherwise(both, NEW_KEY)).toEqual([]);
  await both.stop();

  const last = await changed({ secretKey: NEW_KEY });
  expect(await stackBy(last, id)).toEqual(before);
  expect(last.app.nest.get(SignalAddresses).ofGuests(TARGET)).toBe(address);
  await last.stop();

  await expect(changed({})).rejects.toThrow(
    'ORCHESTRATION_SECRET_KEY or ORCHESTRATION_OLD_SECRET_KEYS must have the key',
  );
});
