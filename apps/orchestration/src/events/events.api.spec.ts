import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startRecorded, type RecordedFixture } from '../orchestration.fixture.js';
import {
  makeEvent,
  makeNested,
  makeResource,
  makeStack,
  type MadeStack,
} from '../stack-resources/rows.fixture.js';

let fixture: RecordedFixture;
let stack: MadeStack;
let number = 0;

beforeAll(async () => {
  fixture = await startRecorded();
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  stack = await makeStack(fixture, `stack-${(number += 1)}`);
});

const get = (path: string): Promise<TestResponse> =>
  fixture.client.get(stack.path + path, { token: fixture.reader });

const namesOf = ({ body }: TestResponse): string[] =>
  (body as { events: { resource_name: string }[] }).events.map((one) => one.resource_name);

it('events are listed, the newest first, and shown in detail', async () => {
  await makeEvent(fixture, stack, 'one');
  const { id } = await makeEvent(fixture, stack, 'two', { physicalId: 'p2' });
  expect(namesOf(await get('/events'))).toEqual(['two', 'one']);
  const { baseUrl } = fixture.client;
  const href = baseUrl + stack.path;
  const event = {
    id,
    links: [
      { rel: 'self', href: `${href}/resources/two/events/${id}` },
      { rel: 'resource', href: `${href}/resources/two` },
      { rel: 'stack', href },
    ],
    event_time: expect.stringMatching(/Z$/),
    resource_name: 'two',
    logical_resource_id: 'two',
    physical_resource_id: 'p2',
    resource_status: 'CREATE_COMPLETE',
    resource_status_reason: 'state changed',
  };
  const detail = { resource_type: 'OS::Heat::TestResource', resource_properties: { value: 'x' } };
  const listed = (await get('/resources/two/events')).body;
  expect(listed).toEqual({ events: [event] });
  for (const path of [`/events/${id}`, `/resources/two/events/${id}`])
    expect((await get(path)).body).toEqual({ event: { ...event, ...detail } });
  expect((await get(`/resources/one/events/${id}`)).status).toBe(404);
  expect((await get('/events/nonsense')).text).toContain('No event nonsense found');
});

it.each([
  ['?resource_name=one', ['one', 'one']],
  ['?resource_status=IN_PROGRESS', ['one']],
  ['?resource_action=CREATE&resource_status=COMPLETE', ['two', 'one']],
  ['?resource_type=OS::Nova::Server', ['two']],
  ['?sort_dir=asc', ['one', 'one', 'two']],
  ['?sort_keys=event_time', ['one', 'one', 'two']],
  ['?sort_keys=resource_type&sort_dir=desc', ['two', 'one', 'one']],
  ['?limit=1', ['two']],
])('events are filtered and sorted by %s', async (query, expected) => {
  await makeEvent(fixture, stack, 'one', { status: 'IN_PROGRESS' });
  await makeEvent(fixture, stack, 'one');
  await makeEvent(fixture, stack, 'two', { resourceType: 'OS::Nova::Server' });
  expect(namesOf(await get(`/events${query}`))).toEqual(expected);
});

it('events are paged by a marker', async () => {
  const ids: string[] = [];
  for (const name of ['one', 'two', 'three']) ids.push((await makeEvent(fixture, stack, name)).id);
  expect(namesOf(await get(`/events?limit=2&marker=${ids[2] ?? ''}`))).toEqual(['two', 'one']);
});

it('of a resource without events, none are found', async () => {
  const { status, text } = await get('/resources/one/events');
  expect([status, text]).toEqual([
    404,
    expect.stringContaining('No events found for resource one'),
  ]);
});

it('events of nested stacks are listed on request, even after their deletion', async () => {
  const group = await makeResource(fixture, stack, 'group');
  const nested = await makeNested(fixture, stack, group, 'below');
  await makeEvent(fixture, stack, 'group');
  await makeEvent(fixture, nested, 'member');
  const listed = async (): Promise<unknown> => (await get('/events?nested_depth=1')).body;
  const before = await listed();
  expect(before).toMatchObject({
    events: [
      {
        resource_name: 'member',
        links: [{}, {}, { rel: 'stack' }, { rel: 'root_stack' }],
      },
      { resource_name: 'group' },
    ],
  });
  await fixture.app.dataSource.query('DELETE FROM stacks WHERE root_id = $1', [stack.id]);
  expect(await listed()).toEqual(before);
  expect(namesOf(await get('/events'))).toEqual(['group']);
});
