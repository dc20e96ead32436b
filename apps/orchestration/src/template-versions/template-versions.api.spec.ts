import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startRecorded, type RecordedFixture } from '../orchestration.fixture.js';

let fixture: RecordedFixture;

beforeAll(async () => {
  fixture = await startRecorded();
});
afterAll(() => fixture.stop());

const get = (path: string): Promise<TestResponse> =>
  fixture.client.get(`/template_versions${path}`, { token: fixture.reader });

const functionsAt = async (path: string): Promise<string[]> => {
  const { body } = await get(path);
  const { template_functions: all } = body as { template_functions: { functions: string }[] };
  return all.map(({ functions }) => functions);
};

it('versions are listed with their aliases', async () => {
  const { body } = await get('');
  expect((body as { template_versions: unknown[] }).template_versions).toContainEqual({
    version: 'heat_template_version.2016-10-14',
    type: 'hot',
    aliases: ['heat_template_version.newton'],
  });
});

it('functions are listed by version or alias, with those of conditions on request', async () => {
  const path = '/heat_template_version.2016-10-14/functions';
  const functions = await functionsAt(path);
  expect(functions).toEqual(expect.arrayContaining(['get_param', 'str_replace', 'if']));
  expect(functions).not.toContain('not');
  expect(await functionsAt(`${path}?with_condition_func=true`)).toContain('not');
  expect(await functionsAt('/heat_template_version.newton/functions')).toEqual(functions);
});

it('an unknown version is named in the error', async () => {
  const { status, text } = await get('/heat_template_version.1999-01-01/functions');
  const message = 'Template with version heat_template_version.1999-01-01 not found';
  expect([status, text]).toEqual([404, expect.stringContaining(message)]);
});
