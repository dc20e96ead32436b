import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startRecorded, type RecordedFixture } from '../orchestration.fixture.js';

let fixture: RecordedFixture;

beforeAll(async () => {
  fixture = await startRecorded();
});
afterAll(() => fixture.stop());

const get = (path: string): Promise<TestResponse> =>
  fixture.client.get(`/resource_types${path}`, { token: fixture.reader });

const typesAt = async (query: string): Promise<unknown[]> =>
  ((await get(query)).body as { resource_types: unknown[] }).resource_types;

it('are listed by name, with filters', async () => {
  const all = await typesAt('');
  expect(all).toContain('OS::Neutron::Net');
  expect(all).toEqual([...all].sort());
  const neutron = await typesAt('?name=OS::Neutron::.*Net$');
  expect(neutron).toContain('OS::Neutron::Net');
  expect(neutron).not.toContain('OS::Neutron::Subnet::');
  expect(await typesAt('?name=[')).toEqual([]);
  expect(await typesAt('?support_status=HIDDEN')).toEqual([]);
  expect(await typesAt('?name=OS::Neutron::Net&with_description=true')).toContainEqual({
    resource_type: 'OS::Neutron::Net',
    description: expect.any(String),
  });
  const { status, text } = await get('?support_status=GOOD');
  expect([status, text]).toEqual([400, expect.stringContaining('Invalid support status')]);
});

it.each(['/OS::Neutron::Net', '/OS::Neutron::Net/schema'])('are shown at %s', async (path) => {
  expect((await get(path)).body).toMatchObject({
    resource_type: 'OS::Neutron::Net',
    properties: { name: { type: 'string', required: false, update_allowed: true } },
    attributes: { show: { type: 'map' } },
    support_status: { status: 'SUPPORTED' },
  });
});

it('make templates of either format', async () => {
  expect((await get('/OS::Neutron::Net/template?template_type=hot')).body).toMatchObject({
    resources: { Net: { type: 'OS::Neutron::Net' } },
  });
  expect((await get('/OS::Neutron::Net/template')).body).toMatchObject({
    Resources: { Net: { Type: 'OS::Neutron::Net' } },
  });
  const { status, text } = await get('/OS::Neutron::Net/template?template_type=xml');
  expect([status, text]).toEqual([400, expect.stringContaining('valid types are: cfn, hot')]);
});

it('are named where there is none', async () => {
  const { status, body } = await get('/OS::No::Type');
  const message = 'The Resource Type (OS::No::Type) could not be found.';
  expect([status, body]).toMatchObject([404, { error: { type: 'EntityNotFound', message } }]);
});
