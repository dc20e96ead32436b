import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';

let compute: ComputeFixture;
let service: string;
let server: string;

beforeAll(async () => {
  compute = await startCompute();
  service = await compute.tokens.issue(['service']);
  server = await compute.buildServer();
});
afterAll(() => compute.stop());

const tell = (events: unknown, token = service): Promise<TestResponse> =>
  compute.client.post('/os-server-external-events', { token, body: { events } });

const plugged = (id = server) => ({
  name: 'network-vif-plugged',
  server_uuid: id,
  tag: randomUUID(),
});

describe('external events', () => {
  it.each([
    'network-changed',
    'network-vif-plugged',
    'network-vif-unplugged',
    'network-vif-deleted',
  ])('are accepted for a server of any project, and logged: %s', async (name) => {
    const event = { ...plugged(), name, status: 'failed' };
    const { status, body } = await tell([event]);
    expect(status).toBe(200);
    expect(body).toEqual({ events: [{ ...event, status: 'completed', code: 200 }] });
    expect(compute.logs).toContainEqual(
      expect.objectContaining({ server, event: name, status: 'failed', tag: event.tag, code: 200 }),
    );
  });

  it('are accepted from administrators, too, and from nobody else', async () => {
    expect((await tell([plugged()], await compute.tokens.issue(['admin']))).status).toBe(200);
    expect((await tell([plugged()], compute.token)).status).toBe(403);
  });

  it('name those whose server does not exist, beside those that are accepted', async () => {
    const events = [plugged(randomUUID()), plugged()];
    const { status, body } = await tell(events);
    expect(status).toBe(207);
    expect(body).toEqual({
      events: [
        { ...events[0], status: 'failed', code: 404 },
        { ...events[1], status: 'completed', code: 200 },
      ],
    });
  });

  it('answer 207 if no server exists', async () => {
    expect((await tell([plugged(randomUUID())])).status).toBe(207);
  });

  it('find a server whose id is written in capitals and without dashes', async () => {
    const id = server.replaceAll('-', '').toUpperCase();
    const { body } = await tell([plugged(id)]);
    expect(body).toMatchObject({ events: [{ server_uuid: id, code: 200 }] });
  });

  it('are not accepted for a server without a host', async () => {
    const { body } = await compute.createServer({ flavorRef: '1' });
    const { id } = (body as { server: { id: string } }).server;
    await compute.settle();
    await compute.app.dataSource.query('UPDATE servers SET host = NULL WHERE id = $1', [id]);
    const answer = await tell([plugged(id)]);
    expect(answer.status).toBe(207);
    expect(answer.body).toMatchObject({ events: [{ status: 'failed', code: 422 }] });
  });

  it.each([
    ['none', [], 'events'],
    ['a name that Nova does not know', [{ name: 'rained', server_uuid: randomUUID() }], 'name'],
    ['no server', [{ name: 'network-changed' }], 'server_uuid'],
    ['no id', [{ name: 'network-changed', server_uuid: 'web-1' }], 'server_uuid'],
    ['a status', [{ ...plugged(randomUUID()), status: 'done' }], 'status'],
    ['a long tag', [{ ...plugged(randomUUID()), tag: 'x'.repeat(256) }], 'tag'],
    ['something else', [{ ...plugged(randomUUID()), code: 200 }], 'code'],
  ])('are refused with the name of the invalid property: %s', async (_, events, named) => {
    const { status, body } = await tell(events);
    expect(status).toBe(400);
    const message = expect.stringContaining(named) as unknown;
    expect(body).toMatchObject({ badRequest: { message } });
  });
});
