import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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

it('types are listed by name, with filters', async () => {
  const all = await typesAt('');
  expect(all).toContain('OS::Neutron::Net');
  expect(all).toEqual([...all].sort());
  const neutron = await typesAt('?name=OS::Neutron::.*Net$');
  expect(neutron).toContain('OS::Neutron::Net');
  expect(neutron).not.toContain('OS::Neutron::Subnet::');
  for (const none of ['[', '(%3F%3A.%3F){1000}', 'a'.repeat(200)])
    expect(await typesAt(`?name=${none}`)).toEqual([]);
  expect(await typesAt('?support_status=HIDDEN')).toEqual([]);
  expect(await typesAt('?name=OS::Neutron::Net&with_description=true')).toContainEqual({
    resource_type: 'OS::Neutron::Net',
    description: expect.any(String),
  });
  const { status, text } = await get('?support_status=GOOD');
  expect([status, text]).toEqual([400, expect.stringContaining('Invalid support status')]);
});

it.each(['/OS::Neutron::Net', '/OS::Neutron::Net/schema'])(
  'types are shown at %s',
  async (path) => {
    expect((await get(path)).body).toMatchObject({
      resource_type: 'OS::Neutron::Net',
      properties: { name: { type: 'string', required: false, update_allowed: true } },
      attributes: { show: { type: 'map' } },
      support_status: { status: 'SUPPORTED' },
    });
  },
);

it('types generate templates in either format', async () => {
  expect((await get('/OS::Neutron::Net/template?template_type=hot')).body).toMatchObject({
    resources: { Net: { type: 'OS::Neutron::Net' } },
  });
  expect((await get('/OS::Neutron::Net/template')).body).toMatchObject({
    Resources: { Net: { Type: 'OS::Neutron::Net' } },
  });
  const { status, text } = await get('/OS::Neutron::Net/template?template_type=xml');
  expect([status, text]).toEqual([400, expect.stringContaining('valid types are: cfn, hot')]);
});

it('an unknown type is named in the error', async () => {
  const { status, body } = await get('/OS::No::Type');
  const message = 'The Resource Type (OS::No::Type) could not be found.';
  expect([status, body]).toMatchObject([404, { error: { type: 'EntityNotFound', message } }]);
});

describe('for administrators', () => {
  const TYPE = 'OS::Nova::Flavor';
  const one = { type: TYPE, properties: { ram: 1, vcpus: 1 } };
  const group = { type: 'OS::Heat::ResourceGroup', properties: { resource_def: one } };
  const hot = (resources: object): object => ({ heat_template_version: '2021-04-16', resources });
  const validate = (template: object, token: string, files: object = {}): Promise<TestResponse> =>
    fixture.client.post('/validate', { token, body: { template, files } });

  it('are hidden from other users', async () => {
    expect(await typesAt(`?name=${TYPE}$`)).toEqual([]);
    for (const path of [`/${TYPE}`, `/${TYPE}/template`]) {
      const { status, text } = await get(path);
      expect([status, text]).toEqual([
        403,
        expect.stringContaining(`not authorized to use ${TYPE}`),
      ]);
    }
    const { body } = await fixture.client.get('/resource_types', { token: fixture.admin });
    expect(body).toMatchObject({ resource_types: expect.arrayContaining([TYPE]) as unknown });
  });

  it.each([
    ['a template', hot({ one }), {}, 'resources.one.type'],
    ['a group', hot({ group }), {}, 'resources.group.properties'],
    [
      'a template below',
      hot({ below: { type: 'below.yaml' } }),
      { 'below.yaml': JSON.stringify(hot({ one })) },
      'resources.below<below.yaml>.resources.one.type',
    ],
  ])('are refused to others in %s, by name', async (_, template, files, path) => {
    const { status, text } = await validate(template, fixture.token, files);
    expect([status, text]).toEqual([
      403,
      expect.stringContaining(`You are not authorized to use ${TYPE} (in ${path}`),
    ]);
    expect((await validate(template, fixture.admin, files)).status).toBe(200);
  });
});
