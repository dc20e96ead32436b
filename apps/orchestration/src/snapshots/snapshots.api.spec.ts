import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startRecorded, type RecordedFixture } from '../orchestration.fixture.js';
import { makeStack, type MadeStack } from '../stack-resources/rows.fixture.js';

let fixture: RecordedFixture;
let stack: MadeStack;

beforeAll(async () => {
  fixture = await startRecorded();
  stack = await makeStack(fixture, 'one');
});
afterAll(() => fixture.stop());

const send = (method: string, below: string, token = fixture.token): Promise<TestResponse> =>
  fixture.client.send(method, `${stack.path}/snapshots${below}`, {
    token,
    body: method === 'POST' ? { name: 'first' } : undefined,
  });

it('a snapshot is taken, listed, shown, restored and deleted', async () => {
  const { status, body: made } = await send('POST', '');
  const { id } = made as { id: string };
  const snapshot = {
    id,
    name: 'first',
    action: 'CREATE',
    status: 'COMPLETE',
    status_reason: '',
    creation_time: expect.any(String),
    data: { name: 'one' },
  };
  expect([status, made]).toEqual([200, snapshot]);
  expect((await send('GET', '')).body).toEqual({ snapshots: [snapshot] });
  expect((await send('GET', `/${id}`)).body).toEqual({ snapshot });
  expect((await send('POST', `/${id}/restore`)).status).toBe(202);
  expect(fixture.commands.recorded.at(-1)).toEqual(['restore', id]);
  expect((await send('DELETE', `/${id}`)).status).toBe(204);
  const gone = await send('GET', `/${id}`);
  const message = `The Snapshot (${id}) for Stack (one) could not be found.`;
  expect([gone.status, gone.body]).toEqual([
    404,
    expect.objectContaining({ error: expect.objectContaining({ message }) }),
  ]);
});

it('the content of a snapshot is hidden from readers', async () => {
  const { body } = await send('POST', '');
  const { id } = body as { id: string };
  const shown = await send('GET', `/${id}`, fixture.reader);
  expect(shown.body).toMatchObject({ snapshot: { id, data: null } });
});

it('a snapshot cannot be deleted while it is being taken', async () => {
  const { body } = await send('POST', '');
  const { id } = body as { id: string };
  const sql = `UPDATE stack_snapshots SET status = 'IN_PROGRESS' WHERE id = $1`;
  await fixture.app.dataSource.query(sql, [id]);
  const { status, text } = await send('DELETE', `/${id}`);
  expect([status, text]).toEqual([400, expect.stringContaining('in-progress snapshot is not')]);
});
