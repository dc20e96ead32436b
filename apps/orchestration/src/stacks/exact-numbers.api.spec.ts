/** Numbers of templates and everything with them are preserved as written, as in Heat. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startWhole, type OrchestrationFixture } from '../orchestration.fixture.js';

let fixture: OrchestrationFixture;

beforeAll(async () => {
  fixture = await startWhole();
});
afterAll(() => fixture.stop());

/** @param body JSON text, sent unchanged */
const send = (method: string, path: string, body?: string): Promise<TestResponse> =>
  fixture.client.send(method, path, { token: fixture.token, body });

/** @returns its path, once its action is over */
const create = async (name: string, fields: string): Promise<string> => {
  const answer = await send('POST', '/stacks', `{"stack_name": "${name}", ${fields}}`);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  await fixture.settle();
  return (answer.headers.get('Location') ?? '').slice(fixture.client.baseUrl.length);
};

/** By name, as they are written in the answer. */
const outputs = async (path: string): Promise<Record<string, string>> => {
  const { text } = await send('GET', path);
  const shown = [...text.matchAll(/"output_key":"(\w+)".*?"output_value":(.*?)(?=\}[,\]])/g)];
  return Object.fromEntries(shown.map(([, name = '', value = '']) => [name, value]));
};

const BIG = '12345678901234567890';

const PARTS = `
  "heat_template_version": "2021-04-16",
  "parameters": {
    "float": {"type": "number", "default": 1.0},
    "given": {"type": "number", "constraints": [{"range": {"min": 1.0, "max": ${BIG}}}]},
    "big": {"type": "number", "default": ${BIG}},
    "text": {"type": "string", "default": 2.0},
    "list": {"type": "comma_delimited_list", "default": [3.0, ${BIG}]},
    "map": {"type": "json", "default": {"a": [4.0, 5, ${BIG}]}}
  },
  "conditions": {"same": {"equals": [{"get_param": "float"}, 1]}},
  "resources": {
    "value": {
      "type": "OS::Heat::Value",
      "metadata": {"size": 6.0},
      "properties": {"value": {"a": 7.0, "b": {"get_param": "big"}}}
    },
    "typed": {"type": "OS::Heat::Value", "properties": {"type": "number", "value": 8.0}}
  },
  "outputs": {
    "float": {"value": {"get_param": "float"}},
    "given": {"value": {"get_param": "given"}},
    "big": {"value": {"get_param": "big"}},
    "text": {"value": {"get_param": "text"}},
    "list": {"value": {"list_join": ["|", {"get_param": "list"}, [[1.0]]]}},
    "map": {"value": {"get_param": ["map", "a"]}},
    "value": {"value": {"get_attr": ["value", "value"]}},
    "part": {"value": {"get_attr": ["value", "value", "a"]}},
    "typed": {"value": {"get_attr": ["typed", "value"]}},
    "replaced": {"value": {"str_replace": {
      "template": "f g b m",
      "params": {"f": {"get_param": "float"}, "g": {"get_param": "given"}, "b": ${BIG},
        "m": {"get_param": "map"}}
    }}},
    "same": {"value": {"if": ["same", 9.0, 0]}}
  }`;

const expected = (given: string): Record<string, string> => ({
  float: '1.0',
  given,
  big: BIG,
  text: '"2.0"',
  list: `"3.0|${BIG}|[1.0]"`,
  map: `[4.0,5,${BIG}]`,
  value: `{"a":7.0,"b":${BIG}}`,
  part: '7.0',
  typed: '8.0',
  replaced: `"1.0 ${given} ${BIG} {\\"a\\": [4.0, 5, ${BIG}]}"`,
  same: '9.0',
});

describe('numbers are preserved as written', () => {
  it.each([
    ['an object', `"template": {${PARTS}}`],
    ['a text in JSON', `"template": ${JSON.stringify(`{${PARTS}}`)}`],
    ['a text in YAML', `"template": ${JSON.stringify(`# YAML\n{${PARTS}}`)}`],
  ])('in a template that is %s', async (_, template) => {
    const path = await create(`of-${template.length}`, `${template}, "parameters": {"given": 2.0}`);
    expect(await outputs(path)).toEqual(expected('2.0'));
    const shown = await send('GET', path);
    expect(shown.text).toContain(`"float":"1.0","given":"2.0","big":"${BIG}","text":"2.0"`);
    expect(shown.text).toContain(`"map":"{\\"a\\":[4.0,5,${BIG}]}"`);
    expect((await send('GET', `${path}/template`)).text).toBe(withoutSpaces(`{${PARTS}}`));
    expect((await send('GET', `${path}/environment`)).text).toContain('"parameters":{"given":2.0}');
    const metadata = await send('GET', `${path}/resources/value/metadata`);
    expect(metadata.text).toBe('{"metadata":{"size":6.0}}');
  });

  it.each([
    ['the environment', '"environment": {"parameters": {"given": 2.0}}'],
    ['an environment in a text', '"environment": "parameters: {given: 2.0}"'],
    ['a file', '"environment_files": ["e"], "files": {"e": "parameter_defaults: {given: 2.0}"}'],
    ['a parameter that is a text', '"parameters": {"given": "2.0"}'],
  ])('in %s', async (_, fields) => {
    const path = await create(`in-${fields.length}`, `"template": {${PARTS}}, ${fields}`);
    expect(await outputs(path)).toEqual(expected('2.0'));
  });

  it('in updates, and an equal number is not a change', async () => {
    const path = await create('changed', `"template": {${PARTS}}, "parameters": {"given": 2}`);
    expect(await outputs(path)).toEqual(expected('2'));
    const preview = await send(
      'PUT',
      `${path}/preview`,
      `{"template": {${PARTS.replace('8.0', '8').replace('7.0', '7.5')}}, "parameters": {"given": 2}}`,
    );
    expect(preview.body).toMatchObject({
      resource_changes: {
        unchanged: [{ resource_name: 'typed' }],
        updated: [{ resource_name: 'value' }],
      },
    });
    expect((await send('PATCH', path, '{"parameters": {"given": 3.0}}')).status).toBe(202);
    await fixture.settle();
    expect(await outputs(path)).toEqual(expected('3.0'));
    expect((await send('PATCH', path, '{"parameters": {"given": 0.0}}')).text).toContain(
      `0.0 is out of range (min: 1.0, max: ${BIG})`,
    );
  });

  it('in snapshots, and in abandoned and adopted data', async () => {
    const fields = `"template": {${PARTS}}, "parameters": {"given": 2.0}`;
    const path = await create('kept', fields);
    const snapshot = (await send('POST', `${path}/snapshots`, '{"name": "s"}')).body;
    await fixture.settle();
    const { id } = snapshot as { id: string };
    expect((await send('PATCH', path, '{"parameters": {"given": 5}}')).status).toBe(202);
    await fixture.settle();
    expect((await send('POST', `${path}/snapshots/${id}/restore`)).status).toBe(202);
    await fixture.settle();
    expect(await outputs(path)).toEqual(expected('2.0'));
    const exported = await send('GET', `${path}/export`);
    const left = await send('DELETE', `${path}/abandon`);
    for (const { text } of [exported, left]) {
      expect(text).toContain(`"template":${withoutSpaces(`{${PARTS}}`)}`);
      expect(text).toContain('"parameters":{"given":2.0}');
    }
    for (const data of [left.text, JSON.stringify(left.text)]) {
      const adopted = await create(`adopted-${data.length}`, `"adopt_stack_data": ${data}`);
      expect(await outputs(adopted)).toEqual(expected('2.0'));
    }
  });

  it('in nested stacks', async () => {
    const inner = `{
      "heat_template_version": "2021-04-16",
      "parameters": {"n": {"type": "number"}, "m": {"type": "json"}},
      "outputs": {"n": {"value": {"get_param": "n"}}, "m": {"value": {"get_param": "m"}}}
    }`;
    const outer = `{
      "heat_template_version": "2021-04-16",
      "resources": {
        "inner": {"type": "i.yaml", "properties": {"n": 1.0, "m": {"a": 2.0}}},
        "group": {"type": "OS::Heat::ResourceGroup", "properties": {
          "count": 1.0,
          "resource_def": {"type": "i.yaml", "properties": {"n": ${BIG}, "m": [3.0]}}
        }}
      },
      "outputs": {
        "n": {"value": {"get_attr": ["inner", "n"]}},
        "m": {"value": {"get_attr": ["inner", "m", "a"]}},
        "group": {"value": {"get_attr": ["group", "n"]}},
        "lists": {"value": {"get_attr": ["group", "m"]}}
      }
    }`;
    const files = `{"i.yaml": ${JSON.stringify(inner)}}`;
    const path = await create('above', `"template": ${outer}, "files": ${files}`);
    expect(await outputs(path)).toEqual({
      n: '1.0',
      m: '2.0',
      group: `[${BIG}]`,
      lists: '[[3.0]]',
    });
  });

  it('in signals, and in files with texts', async () => {
    const template = `"template": {
      "heat_template_version": "2021-04-16",
      "resources": {"handle": {"type": "OS::Heat::WaitConditionHandle"}},
      "outputs": {
        "file": {"value": {"get_file": "f"}}
      }
    }, "files": {"f": "1.0"}`;
    const path = await create('signalled', template);
    const signal = `{"status": "SUCCESS", "id": "1", "data": [1.0, ${BIG}]}`;
    expect((await send('POST', `${path}/resources/handle/signal`, signal)).status).toBe(200);
    const metadata = await send('GET', `${path}/resources/handle/metadata`);
    expect(metadata.text).toContain(`"data":[1.0,${BIG}]`);
    expect(await outputs(path)).toEqual({ file: '"1.0"' });
  });

  it('in validations and previews', async () => {
    const body = `{"stack_name": "p", "template": {${PARTS}}, "parameters": {"given": 2.0}}`;
    const validated = await send('POST', '/validate', body);
    expect(validated.text).toContain('"Default":1.0');
    expect(validated.text).toContain(`"Value":2.0,"MinValue":1.0,"MaxValue":${BIG}`);
    expect(validated.text).toContain('"parameters":{"given":2.0}');
    const previewed = await send('POST', '/stacks/preview', body);
    expect(previewed.text).toContain(`"properties":{"value":{"a":7.0,"b":${BIG}}`);
    expect(previewed.text).toContain('"metadata":{"size":6.0}');
  });

  it('except for other types: a text and an index are not floats', async () => {
    const template = (value: string): string => `"template": {
      "heat_template_version": "2021-04-16",
      "resources": {"one": {"type": "OS::Heat::TestResource", "properties": {"value": ${value}}}}
    }`;
    const refused = await send('POST', '/stacks', `{"stack_name": "no", ${template('1.0')}}`);
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('Value must be a string; got 1.0'),
    ]);
    await create('text', template(BIG));
  });

  it('in software configs, and in repeated creations', async () => {
    const body = `{"config": {"a": [1.0, ${BIG}]}, "options": {"b": 2.0}}`;
    const headers = { 'Idempotency-Key': 'k' };
    const { client, token } = fixture;
    const post = (text: string): Promise<TestResponse> =>
      client.post('/software_configs', { token, body: text, headers });
    const [first, again] = [await post(body), await post(body)];
    expect(first.text).toContain(`"config":{"a":[1.0,${BIG}]}`);
    expect(first.text).toContain('"options":{"b":2.0}');
    expect(again.text).toBe(first.text);
    expect((await post(body.replace('2.0', '3.0'))).status).toBe(422);
  });

  it('in the fields of bodies, except for integers', async () => {
    for (const minutes of ['10.0', BIG]) {
      const fields = `"template": {${PARTS}}, "parameters": {"given": 2}, "timeout_mins": ${minutes}`;
      const { status } = await send('POST', '/stacks', `{"stack_name": "timed", ${fields}}`);
      expect(status).toBe(400);
    }
  });
});

/** For JSON without spaces in its texts. */
function withoutSpaces(text: string): string {
  return text.replaceAll(/("[^"]*")|\s+/g, '$1');
}
