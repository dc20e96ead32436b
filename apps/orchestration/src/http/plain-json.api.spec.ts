/** A header that Heat's clients compare literally. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startRecorded, type RecordedFixture } from '../orchestration.fixture.js';

let fixture: RecordedFixture;

beforeAll(async () => {
  fixture = await startRecorded();
});
afterAll(() => fixture.stop());

it.each([
  ['answers', '/stacks', 200],
  ['errors', '/stacks/none', 404],
  ['errors of no route', '/none', 404],
])('sends no charset in %s', async (_, path, status) => {
  const answer = await fixture.client.get(path, { token: fixture.token });
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([status, 'application/json']);
});
