/** The bounds in docs/bounds.md, except for signals (`signals/signal-limits`). */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { preparedRows } from '@cumulet/common/database/rows';
import { CommandedStacks, hot } from '../engine/commanded-stacks.fixture.js';
import { StackEventRepository } from '../rows/stack-event.repository.js';

let started: CommandedStacks;

beforeAll(async () => {
  started = await CommandedStacks.start({
    softwareConfigQuota: 2,
    softwareDeploymentQuota: 1,
    maxSnapshots: 1,
  });
});
afterAll(() => started.stop());

const post = (path: string, body: object) =>
  started.fixture.client.post(path, { token: started.fixture.token, body });

const refused = (message: string, code = 413) => ({
  error: { code, message, type: 'RequestLimitExceeded', traceback: null },
});

const rowsOf = async (table: string): Promise<number> =>
  (await preparedRows(started.ctx.manager, `SELECT 1 FROM ${table}`, [])).length;

it('software configs and deployments have quotas', async () => {
  const config = () => post('/software_configs', { name: 'one', group: 'script' });
  const { body } = await config();
  expect((await config()).status).toBe(200);
  expect((await config()).body).toMatchObject(
    refused('Quota exhausted for software_configs: all 2 are in use'),
  );
  expect(await rowsOf('software_configs')).toBe(2);
  const { id } = (body as { software_config: { id: string } }).software_config;
  const deployment = () => post('/software_deployments', { config_id: id, server_id: 'server' });
  expect((await deployment()).status).toBe(200);
  expect((await deployment()).body).toMatchObject(
    refused('Quota exhausted for software_deployments: all 1 are in use'),
  );
  expect(await rowsOf('software_deployments')).toBe(1);
});

it('snapshots of a stack are limited', async () => {
  const { acting, creating, ctx, stacks } = started;
  const stack = await creating.create(ctx, { name: 'kept', template: hot({}) });
  const settled = await started.settled(stack);
  if (!settled) throw new Error('gone');
  await acting.snapshot(ctx, settled, 'first');
  const again = await started.settled(stack);
  if (!again) throw new Error('gone');
  await expect(acting.snapshot(ctx, again, 'second')).rejects.toThrow(
    'Request limit exceeded: Stack kept has 1 snapshots, and may have 1.',
  );
  expect(await rowsOf('stack_snapshots')).toBe(1);
  expect(await stacks.find(ctx, stack.id)).toMatchObject({ state: 'complete' });
});

it('a stack has at most a hundred tags', async () => {
  const tags = Array.from({ length: 101 }, (_, at) => `t${at}`).join(',');
  const before = await rowsOf('stacks');
  const answer = await post('/stacks', { stack_name: 'tagged', template: hot({}), tags });
  expect([answer.status, answer.body]).toMatchObject([
    400,
    { error: { message: 'Invalid tags, 101 are more than the maximum of 100' } },
  ]);
  expect(await rowsOf('stacks')).toBe(before);
});

it('a stack keeps its newest events, about a thousand, with short reasons', async () => {
  const { creating, ctx } = started;
  const stack = await creating.create(ctx, { name: 'told', template: hot({}) });
  await started.settled(stack);
  const events = started.fixture.app.nest.get(StackEventRepository);
  for (let at = 0; at < 1_150; at += 1)
    await events.write(ctx, stack, 'CHECK', 'COMPLETE', `${at} ${'x'.repeat(300)}`);
  const rows = await preparedRows<{ reason: string }>(
    ctx.manager,
    'SELECT reason FROM stack_events WHERE stack_id = $1 ORDER BY position',
    [stack.id],
  );
  expect(rows.length).toBeGreaterThanOrEqual(1_000);
  expect(rows.length).toBeLessThan(1_100);
  expect(rows.at(-1)?.reason).toBe(`1149 ${'x'.repeat(250)}`);
});
