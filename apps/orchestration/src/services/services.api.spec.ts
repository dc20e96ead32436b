/** The list of engine processes. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startOrchestration, type OrchestrationFixture } from '../orchestration.fixture.js';

let fixture: OrchestrationFixture;

beforeAll(async () => {
  fixture = await startOrchestration();
});
afterAll(() => fixture.stop());

async function statuses(): Promise<string[]> {
  const { body } = await fixture.client.get('/services', { token: fixture.admin });
  return (body as { services: { status: string }[] }).services.map(({ status }) => status);
}

it('shows each process until it stops', async () => {
  const other = await startOrchestration({ beside: fixture });
  expect(await statuses()).toEqual(['up', 'up']);
  await other.stop();
  expect(await statuses()).toEqual(['up']);
});

it('shows a silent process as down, and removes it after an hour', async () => {
  const silentFor = (time: string): Promise<unknown> =>
    fixture.ctx.manager.query(
      `INSERT INTO engines (id, host, seen_at)
       VALUES ('11111111-2222-4333-8444-555555555555', 'gone', now() - $1::interval)
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
      [time],
    );
  await silentFor('5 minutes');
  expect((await statuses()).sort()).toEqual(['down', 'up']);
  await silentFor('61 minutes');
  const other = await startOrchestration({ beside: fixture });
  expect(await statuses()).toEqual(['up', 'up']);
  await other.stop();
});
