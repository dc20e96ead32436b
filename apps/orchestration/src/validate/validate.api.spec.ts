import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startRecorded, type RecordedFixture } from '../orchestration.fixture.js';

let fixture: RecordedFixture;

beforeAll(async () => {
  fixture = await startRecorded();
});
afterAll(() => fixture.stop());

const validate = (body: object, query = ''): Promise<TestResponse> =>
  fixture.client.post(`/validate${query}`, { token: fixture.token, body });

const template = `
heat_template_version: 2014-10-16
description: the stack description
parameters:
  aparam: {type: number, default: 10, description: the param description}
  secret: {type: string, hidden: true}
parameter_groups:
- {label: all, description: All of them, parameters: [aparam, secret]}
resources:
  handle: {type: 'OS::Heat::WaitConditionHandle'}
`;

const aparam = {
  Type: 'Number',
  Default: 10,
  Description: 'the param description',
  Label: 'aparam',
  NoEcho: 'false',
};
const secret = { Type: 'String', Description: '', Label: 'secret', NoEcho: 'true' };

it('returns the parameters of a template and its environment', async () => {
  const environment = { parameters: { aparam: 5 } };
  const { status, body } = await validate({ template, environment });
  expect([status, body]).toEqual([
    200,
    {
      Description: 'the stack description',
      Parameters: { aparam: { ...aparam, Value: 5 }, secret },
      ParameterGroups: [
        { label: 'all', description: 'All of them', parameters: ['aparam', 'secret'] },
      ],
      Environment: {
        event_sinks: [],
        parameter_defaults: {},
        parameters: { aparam: 5 },
        resource_registry: { resources: {} },
      },
    },
  ]);
});

it('returns those of nested templates on request', async () => {
  const parent = { heat_template_version: '2014-10-16', resources: { one: { type: 'one.yaml' } } };
  const whole = template.replace('hidden: true', "hidden: true, default: ''");
  const body = { template: parent, files: { 'one.yaml': whole } };
  const plain = await validate(body);
  expect(plain.body).toMatchObject({
    Description: 'No description',
    Parameters: {},
    Environment: { resource_registry: { 'one.yaml': 'one.yaml', resources: {} } },
  });
  expect(plain.body).not.toHaveProperty('NestedParameters');
  expect((await validate(body, '?show_nested=True')).body).toMatchObject({
    NestedParameters: {
      one: { Type: 'one.yaml', Description: 'the stack description', Parameters: { aparam } },
    },
  });
});

it('returns the parameters of nested templates whose properties are wrong', async () => {
  const resources = { one: { type: 'two.yaml', properties: { nothing: 1 } } };
  const one = JSON.stringify({ heat_template_version: '2014-10-16', resources });
  const parent = { heat_template_version: '2014-10-16', resources: { one: { type: 'one.yaml' } } };
  const files = { 'one.yaml': one, 'two.yaml': template };
  const shown = await validate({ template: parent, files }, '?show_nested=True');
  expect(shown.body).toMatchObject({
    NestedParameters: { one: { NestedParameters: { one: { Parameters: { aparam } } } } },
  });
  const own = await validate({ template: one, files });
  expect([own.status, own.text]).toEqual([400, expect.stringContaining('Unknown Property')]);
});

it.each([
  ['2014-10-16', 'invalid', 'The template version is invalid'],
  ['OS::Heat::WaitConditionHandle', 'OS::No::Type', 'OS::No::Type'],
])('refuses a template with %s made %s', async (part, other, message) => {
  const { status, text } = await validate({ template: template.replace(part, other) });
  expect([status, text]).toEqual([400, expect.stringContaining(message)]);
});

it('does not check whether named resources exist', async () => {
  const named = `
heat_template_version: 2014-10-16
parameters:
  key: {type: string, default: none, constraints: [{custom_constraint: nova.keypair}]}
resources:
  one: {type: 'OS::Nova::Server', properties: {image: none, flavor: none, key_name: {get_param: key}}}
`;
  expect((await validate({ template: named })).status).toBe(200);
  const wrong = await validate({ template: named.replace('image:', 'imagine:') });
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('Unknown Property')]);
});

it('ignores a type of a missing service on request', async () => {
  const resources = { one: { type: 'OS::Trove::Instance', properties: { any: 1 } } };
  const outputs = { any: { value: { get_attr: ['one', 'any'] } } };
  const body = { template: { heat_template_version: '2014-10-16', resources, outputs } };
  const { status, text } = await validate(body);
  expect([status, text]).toEqual([
    400,
    expect.stringContaining('HEAT-E99001 Service trove is not available'),
  ]);
  expect((await validate(body, '?ignore_errors=99001')).status).toBe(200);
  const other = JSON.stringify(body).replace('Trove', 'Nova');
  const refused = await validate(JSON.parse(other) as object, '?ignore_errors=99001');
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining('The Resource Type (OS::Nova::Instance) could not be found.'),
  ]);
});

it('refuses unknown error codes', async () => {
  const { status, text } = await validate({ template }, '?ignore_errors=99001,1');
  expect([status, text]).toEqual([400, expect.stringContaining('Invalid codes in ignore_errors')]);
});
