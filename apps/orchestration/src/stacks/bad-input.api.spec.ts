/** Invalid requests: refused by name, without a trace. */
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { EnginePorts } from '../engine/engine-ports.js';
import { startWhole, type OrchestrationFixture } from '../orchestration.fixture.js';

let fixture: OrchestrationFixture;
let trusts: jest.SpiedFunction<EnginePorts['createTrust']>;

beforeAll(async () => {
  fixture = await startWhole();
  trusts = jest.spyOn(fixture.app.nest.get(EnginePorts), 'createTrust');
});
afterAll(() => fixture.stop());

const TABLES = ['stacks', 'stack_templates', 'stack_resources', 'stack_events', 'deleted_stacks'];

afterEach(async () => {
  for (const table of TABLES) {
    const rows: unknown = await fixture.ctx.manager.query(`SELECT * FROM ${table}`);
    expect([table, rows]).toEqual([table, []]);
  }
  expect(trusts).not.toHaveBeenCalled();
});

const post = (body: unknown, path = '/stacks'): Promise<TestResponse> =>
  fixture.client.post(path, { token: fixture.token, body: body as object });

/** @param resources as YAML, indented by two spaces */
const hot = (resources: string, rest = ''): string =>
  `heat_template_version: 2021-04-16\n${rest}\nresources:\n${resources}\n`;

const VALUE = '{type: OS::Heat::Value, properties: ';
const value = (snippet: string): string => hot(`  a: ${VALUE}{value: ${snippet}}}`);

const aliases = ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].reduce(
  (text, name, at) => `${text}  ${name}: &${name} [${`*${'abcdefgh'.charAt(at)},`.repeat(10)}]\n`,
  '  a: &a [x]\n',
);

describe('a template', () => {
  it.each<[string, string, string]>([
    [
      'with a cycle',
      hot(`  a: ${VALUE}{value: {get_resource: b}}}\n  b: ${VALUE}{value: {get_resource: a}}}`),
      'Circular Dependency Found: a -> b -> a',
    ],
    ['that needs itself', value('{get_resource: a}'), 'Circular Dependency Found: a -> a'],
    ['with an unknown type', hot('  a: {type: OS::No::Such}'), 'resources.a.type: : '],
    [
      'with a function of another format',
      value('{"Fn::Join": [",", []]}'),
      'The function Fn::Join is not supported in this version of HOT',
    ],
    [
      'with an unknown attribute',
      hot(`  a: ${VALUE}{value: 1}}\n  b: ${VALUE}{value: {get_attr: [a, color]}}}`),
      '(a color) is incorrect (in resources.b.properties.value.get_attr)',
    ],
    [
      'with an unknown property',
      hot(`  a: ${VALUE}{colour: 1}}`),
      'resources.a.properties: : Unknown Property colour',
    ],
    [
      'with a volume',
      hot('  a: {type: OS::Cinder::Volume, properties: {size: 1}}'),
      'resources.a.type: : ',
    ],
    [
      'without a value for a parameter',
      hot('', 'parameters: {p: {type: string}}'),
      'The Parameter (p) was not provided.',
    ],
    [
      'with a parameter that is not allowed',
      hot('', 'parameters: {p: {type: number, default: 3, constraints: [{range: {max: 2}}]}}'),
      'p',
    ],
    ['of aliases', `heat_template_version: rocky\nresources:\n${aliases}`, 'values'],
    ['that is deep', `a: ${'['.repeat(200_000)}`, 'nests values more than 100 deep'],
    ['that is deep in JSON', `{"a": ${'{"a":'.repeat(50_000)}`, 'more than 100 deep'],
    [
      'of 300,000 lines',
      'a:\n'.repeat(300_000),
      'Template exceeds maximum allowed size (900000 of',
    ],
    ['with a file of the web', value('{get_file: "http://127.0.0.1:1/x"}'), 'http://127.0.0.1:1/x'],
    [
      'with a file of the host',
      value('{get_file: "file:///etc/hostname"}'),
      'file:///etc/hostname',
    ],
    ['with a path of the host', value('{get_file: /etc/hostname}'), '/etc/hostname'],
    ['of a template that lacks', hot('  a: {type: lacking.yaml}'), 'lacking.yaml'],
    ['of a template of the web', hot('  a: {type: "http://127.0.0.1:1/x.yaml"}'), '127.0.0.1'],
    [
      'of a group of such',
      hot(
        '  a: {type: OS::Heat::ResourceGroup, properties: {count: 1, resource_def: {type: lacking.yaml}}}',
      ),
      'lacking.yaml',
    ],
    [
      'with yaql',
      value('{yaql: {expression: $.data, data: 1}}'),
      'The function "yaql" is not supported',
    ],
    [
      'with a value that others match in countless ways',
      hot(
        '',
        `parameters: {p: {type: string, default: "${'a'.repeat(64)}!", constraints: [{allowed_pattern: "(a+)+$"}]}}`,
      ),
      'does not match pattern',
    ],
    [
      'with a pattern of more than one language',
      hot('', 'parameters: {p: {type: string, constraints: [{allowed_pattern: "a(?=b)"}]}}'),
      "a look-ahead ('(?=') anywhere but at a pattern's beginning is not supported",
    ],
    ['with a huge number', hot('', 'parameters: {p: {type: number, default: 1e999}}'), 'p'],
    ['with a character that no table holds', hot('  "a\\0b": {type: OS::Heat::None}'), 'U+0000'],
    [
      'with half a character',
      '{"heat_template_version": "rocky", "resources": {"a\\ud800b": {"type": "OS::Heat::None"}}}',
      'half of a character',
    ],
    ['whose description no table holds', hot('', 'description: "a\\0b"'), 'U+0000'],
    [
      'whose resource stands for what no table holds',
      hot('  a: {type: OS::Heat::None, external_id: "a\\0b"}'),
      'U+0000',
    ],
    ['that is a list', '[1]', 'is not a JSON object or YAML mapping'],
    ['that is nothing', '', 'Template version was not provided'],
    ['that is neither', '{"a": ', 'Error parsing template'],
  ])('%s is refused', async (_, template, message) => {
    const { status, text } = await post({ stack_name: 'bad', template });
    expect([status, JSON.parse(text)]).toEqual([
      400,
      expect.objectContaining({
        error: expect.objectContaining({ message: expect.stringContaining(message) }),
      }),
    ]);
  });
});

describe('a request', () => {
  const template = hot(
    `  a: ${VALUE}{value: {get_param: p}}}`,
    'parameters: {p: {type: json, default: {}}}',
  );
  const half = String.fromCharCode(0xd800);

  it.each<[string, object, string]>([
    ['whose name is none', { stack_name: 'a\0b' }, 'stack_name'],
    ['whose name has half a character', { stack_name: `a${half}` }, 'stack_name'],
    ['with a tag', { tags: 'a\0b' }, 'Invalid tag'],
    ['with half a tag', { tags: ['a', half] }, 'Invalid tag'],
    [
      'with a parameter',
      { parameters: { p: { key: 'a\0b' } } },
      'at parameters.p.key holds U+0000',
    ],
    [
      'with half a parameter',
      { parameters: { p: [half] } },
      'at parameters.p.0 holds U+0000, or half',
    ],
    [
      'with a parameter that there is not',
      { parameters: { q: 1 } },
      'The Parameter (q) was not defined',
    ],
    ['with a parameter of another kind', { parameters: { p: 'no json' } }, 'p'],
    ['with a file', { files: { 'a.txt': 'a\0b' } }, 'at a.txt holds U+0000'],
    [
      'with an environment',
      { environment: 'parameter_defaults: {"a\\0b": 1}' },
      'a key at parameter_defaults',
    ],
    [
      'with an environment of nothing known',
      { environment: 'foo: {}' },
      'environment has wrong section',
    ],
    ['with a file of an environment that lacks', { environment_files: ['none.yaml'] }, 'none.yaml'],
    [
      'with a file of the host for environment',
      { environment_files: ['/etc/hostname'] },
      '/etc/hostname',
    ],
    ['with too many minutes', { timeout_mins: 9_999_999_999 }, 'timeout_mins'],
    ['with a number that is none', { timeout_mins: 1e300 }, 'timeout_mins'],
    ['with no number', { disable_rollback: 'perhaps' }, 'disable_rollback'],
  ])('%s is refused', async (_, fields, message) => {
    const { status, text } = await post({ stack_name: 'bad', template, ...fields });
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
  });

  it.each([
    [415, 'text/plain', 'stack_name: bad'],
    [415, 'application/x-yaml', 'stack_name: bad'],
    [400, 'application/json', '{"stack_name": '],
    [400, 'application/json', '[]'],
    [400, 'application/json', 'null'],
    [400, 'application/json', '{"__proto__": {"a": 1}}'],
    [413, 'application/json', JSON.stringify({ template: 'x'.repeat(3_000_000) })],
  ])('is answered with %d for type %s: %.20s', async (status, type, text) => {
    const { client, token } = fixture;
    const body = new TextEncoder().encode(text);
    const headers = { 'Content-Type': type };
    for (const path of ['/stacks', '/validate', '/stacks/preview'])
      expect((await client.post(path, { token, body, headers })).status).toBe(status);
  });

  it.each([
    '/stacks?name=%00',
    '/stacks/a%00b',
    '/stacks?tags=%00',
    '/stacks?marker=%00',
    '/resource_types?name=(',
    '/resource_types/%00',
    '/stacks/a/b/resources/%00',
    '/stacks?limit=1e9',
  ])('for %s is answered', async (path) => {
    const { status } = await fixture.client.get(path, { token: fixture.token });
    expect([200, 400, 404]).toContain(status);
  });
});
