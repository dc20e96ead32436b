import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@cumulet/testing/test-tokens';
import { startRecorded, type RecordedFixture } from '../orchestration.fixture.js';
import { makeResource, makeStack, type MadeStack } from '../stack-resources/rows.fixture.js';
import type { StackResource } from '../rows/stack-resource.entity.js';
import { SignalAddresses } from '../engine/signal-address.js';

let fixture: RecordedFixture;
let stack: MadeStack;
let resource: StackResource;

beforeAll(async () => {
  fixture = await startRecorded();
  stack = await makeStack(fixture, 'one');
  resource = await makeResource(fixture, stack, 'handle');
});
afterAll(() => fixture.stop());
beforeEach(() => void (fixture.commands.recorded.length = 0));

const GUESTS = 'http://169.254.169.254:8080/orchestration';

/** Relative to the service's address. */
const signed = (resourceId: string = resource.id): string => {
  const addresses = fixture.app.nest.get(SignalAddresses);
  const { projectId } = fixture;
  const url = addresses.ofGuests({ projectId, stackId: stack.id, resourceId });
  expect(url.startsWith(`${GUESTS}/signals/`)).toBe(true);
  return url.slice(GUESTS.length);
};

describe('a signed URL', () => {
  it.each(['POST', 'PUT'])('accepts signals by %s, without a token', async (method) => {
    const { client, commands, projectId } = fixture;
    const body = { Status: 'SUCCESS', Reason: 'Done', UniqueId: '1', Data: 'x' };
    expect((await client.send(method, signed(), { body })).status).toBe(200);
    expect(commands.recorded).toEqual([['signal', projectId, 'handle', body]]);
  });

  it.each(['', 'application/x-www-form-urlencoded', 'text/plain', 'application/octet-stream'])(
    'reads a body of the type "%s" as JSON',
    async (type) => {
      const { client, commands } = fixture;
      const bytes = new TextEncoder().encode('{"status": "SUCCESS"}');
      const answer = await client.put(signed(), { body: bytes, headers: { 'Content-Type': type } });
      expect(answer.status).toBe(200);
      expect(commands.recorded).toMatchObject([['signal', {}, 'handle', { status: 'SUCCESS' }]]);
    },
  );

  it('rejects a body other than JSON', async () => {
    const { client, commands } = fixture;
    for (const body of ['status=SUCCESS', '[1]', '{"__proto__": '])
      expect((await client.put(signed(), { body })).status).toBe(400);
    expect(commands.recorded).toEqual([]);
  });

  it('is valid for one resource only', async () => {
    const { client, commands } = fixture;
    const [path = '', query = ''] = signed().split('?');
    const other = await makeResource(fixture, stack, 'other');
    const forged = [
      `${path.replace(resource.id, other.id)}?${query}`,
      `${path.replace(fixture.projectId, newId())}?${query}`,
      `${path}?Signature=${'0'.repeat(64)}`,
      `${path}?Signature=short`,
    ];
    for (const one of forged) expect((await client.post(one)).status).toBe(403);
    expect((await client.post(path)).status).toBe(400);
    expect(commands.recorded).toEqual([]);
  });

  it('is not found once the resource is gone', async () => {
    expect((await fixture.client.post(signed(newId()))).status).toBe(404);
  });
});

it('other routes reject content types other than JSON', async () => {
  const { client, token } = fixture;
  const headers = { 'Content-Type': 'text/plain' };
  expect((await client.post('/stacks', { token, body: '{}', headers })).status).toBe(415);
});
