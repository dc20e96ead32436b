/** Names of Object's own properties, wherever a user chooses a name. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { membersOf, ODD_KEYS, oddMap, pollution } from '@cumulet/testing/odd-keys';
import { startWhole, type OrchestrationFixture } from '../orchestration.fixture.js';

let fixture: OrchestrationFixture;

beforeAll(async () => {
  fixture = await startWhole();
});
afterAll(async () => {
  expect(pollution()).toEqual([]);
  await fixture.stop();
});

const send = (method: string, path: string, body?: unknown): Promise<TestResponse> =>
  fixture.client.send(method, path, { token: fixture.token, body });
const sorted = [...ODD_KEYS].sort();

/** @returns the stack's path, once its action is over */
async function create(body: object): Promise<string> {
  const answer = await send('POST', '/stacks', body);
  expect([answer.status, answer.text]).toEqual([201, expect.stringContaining('stack')]);
  await fixture.settle();
  const path = (answer.headers.get('Location') ?? '').slice(fixture.client.baseUrl.length);
  const { stack } = (await send('GET', path)).body as { stack: Record<string, unknown> };
  expect([stack['stack_status'], stack['stack_status_reason']]).toEqual([
    'CREATE_COMPLETE',
    expect.any(String),
  ]);
  return path;
}

it('unknown keys of a body are ignored', async () => {
  const template = { heat_template_version: '2021-04-16' };
  const odd = oddMap(() => 1);
  const path = await create({ stack_name: 'beside', template, more: 1, ...odd });
  expect((await send('PATCH', path, { existing: true, more: 1, ...odd })).status).toBe(202);
  await fixture.settle();
  expect((await send('POST', `${path}/snapshots`, { name: 'one', more: 1, ...odd })).status).toBe(
    200,
  );
  await fixture.settle();
  expect((await send('POST', '/software_configs', { name: 'one', more: 1, ...odd })).status).toBe(
    200,
  );
  expect((await send('POST', '/validate', { template, more: 1, ...odd })).status).toBe(200);
});

const value = (of: unknown): object => ({ type: 'OS::Heat::Value', properties: { value: of } });

/** Parameters and resources share their names, so each has a template. */
const ofParameters = {
  heat_template_version: '2021-04-16',
  parameters: oddMap((key) => ({ type: 'string', default: `default of ${key}` })),
  conditions: oddMap((key) => ({ equals: [{ get_param: key }, `given ${key}`] })),
  resources: {
    one: { ...value(oddMap((key) => ({ if: [key, { get_param: key }, 'no'] }))) },
    files: value(oddMap((key) => ({ get_file: key }))),
  },
  outputs: oddMap((key) => ({
    value: { of: { get_attr: ['one', 'value', key] }, file: { get_attr: ['files', 'value', key] } },
  })),
};
const ofResources = {
  heat_template_version: '2021-04-16',
  resources: oddMap((key) => ({
    ...value(oddMap((one) => `${key} ${one}`)),
    metadata: oddMap((one) => ({ one })),
  })),
  outputs: oddMap((key) => ({ value: { get_attr: [key, 'value', key] } })),
};
const files = oddMap((key) => `file ${key}`);
const environment = { parameters: oddMap((key) => `given ${key}`) };
const FORMS: readonly (readonly [string, (whole: unknown) => unknown])[] = [
  ['JSON', (whole) => whole],
  ['text', (whole) => JSON.stringify(whole)],
];

async function outputsOf(path: string): Promise<unknown> {
  const { stack } = (await send('GET', path)).body as {
    stack: { outputs: { output_key: string; output_value: unknown }[] };
  };
  const outputs = stack.outputs.map(({ output_key: key, output_value: shown }) => [key, shown]);
  for (const key of ODD_KEYS)
    expect((await send('GET', `${path}/outputs/${key}`)).status).toBe(200);
  return membersOf(Object.fromEntries(outputs));
}

describe("names of Object's own properties", () => {
  it.each(FORMS)('work as parameters, conditions, outputs and files: %s', async (form, written) => {
    const path = await create({
      stack_name: `parameters-${form}`,
      template: written(ofParameters),
      environment: written(environment),
      files,
    });
    expect(await outputsOf(path)).toEqual(
      membersOf(oddMap((key) => ({ of: `given ${key}`, file: `file ${key}` }))),
    );
    const { stack } = (await send('GET', path)).body as { stack: { parameters: object } };
    const odd = membersOf(stack.parameters).filter(([name]) => ODD_KEYS.includes(name));
    expect(odd).toEqual(membersOf(environment.parameters));
    const shown = (await send('GET', `${path}/template`)).body as typeof ofParameters;
    for (const section of ['parameters', 'conditions', 'outputs'] as const)
      expect(Object.keys(shown[section]).sort()).toEqual(sorted);
    const kept = (await send('GET', `${path}/environment`)).body as { parameters: object };
    expect(membersOf(kept.parameters)).toEqual(membersOf(environment.parameters));
    expect(membersOf((await send('GET', `${path}/files`)).body)).toEqual(membersOf(files));
  });

  it.each(FORMS)('work as resources, and within them: %s', async (form, written) => {
    const path = await create({ stack_name: `resources-${form}`, template: written(ofResources) });
    expect(await outputsOf(path)).toEqual(membersOf(oddMap((key) => `${key} ${key}`)));
    const { resources } = (await send('GET', `${path}/resources`)).body as {
      resources: { resource_name: string }[];
    };
    expect(resources.map(({ resource_name: name }) => name).sort()).toEqual(sorted);
    for (const key of ODD_KEYS) {
      const metadata = await send('GET', `${path}/resources/${key}/metadata`);
      const { metadata: kept } = metadata.body as { metadata: object };
      expect(membersOf(kept)).toEqual(membersOf(oddMap((one) => ({ one }))));
    }
    const shown = (await send('GET', `${path}/template`)).body as typeof ofResources;
    expect(Object.keys(shown.resources).sort()).toEqual(sorted);
  });

  it('work in nested templates, whose outputs are attributes', async () => {
    const below = {
      heat_template_version: '2021-04-16',
      parameters: oddMap(() => ({ type: 'string' })),
      outputs: oddMap((key) => ({ value: { get_param: key } })),
    };
    const path = await create({
      stack_name: 'odd-nested',
      template: {
        heat_template_version: '2021-04-16',
        resources: oddMap((key) => ({
          type: 'below.yaml',
          properties: oddMap((one) => `${key} ${one}`),
        })),
        outputs: oddMap((key) => ({ value: { get_attr: [key, key] } })),
      },
      files: { 'below.yaml': JSON.stringify(below) },
    });
    for (const key of ODD_KEYS) {
      const { output } = (await send('GET', `${path}/outputs/${key}`)).body as {
        output: { output_value: unknown };
      };
      expect([key, output.output_value]).toEqual([key, `${key} ${key}`]);
    }
  });

  it('work in previews and updates', async () => {
    const path = await create({ stack_name: 'odd-changed', template: ofResources });
    const next = { heat_template_version: '2021-04-16', resources: { left: value(1) } };
    const preview = await send('PUT', `${path}/preview`, { template: next });
    const { resource_changes: changes } = preview.body as {
      resource_changes: { deleted: { resource_name: string }[] };
    };
    expect(changes.deleted.map(({ resource_name: name }) => name).sort()).toEqual(sorted);
    expect((await send('PUT', path, { template: next })).status).toBe(202);
    await fixture.settle();
    const { resources } = (await send('GET', `${path}/resources`)).body as {
      resources: { resource_name: string }[];
    };
    expect(resources.map(({ resource_name: name }) => name)).toEqual(['left']);
    const other = { stack_name: 'odd-preview', template: ofResources };
    expect((await send('POST', '/stacks/preview', other)).status).toBe(200);
  });

  it('work in validations', async () => {
    const answer = await send('POST', '/validate', { template: ofParameters, files });
    const { Parameters: shown } = answer.body as { Parameters: object };
    expect([answer.status, Object.keys(shown).sort()]).toEqual([200, sorted]);
    for (const key of ODD_KEYS) {
      const alone = { heat_template_version: '2021-04-16', resources: { a: { type: key } } };
      const refused = await send('POST', '/validate', { template: alone });
      expect([key, refused.status]).toEqual([key, 400]);
    }
  });

  it('work in software configs', async () => {
    const body = { name: 'odd', config: 'x', options: oddMap((key) => ({ key })) };
    const answer = await send('POST', '/software_configs', body);
    const made = (answer.body as { software_config: { id: string } }).software_config;
    const shown = await send('GET', `/software_configs/${made.id}`);
    const { options } = (shown.body as { software_config: { options: object } }).software_config;
    expect(membersOf(options)).toEqual(membersOf(body.options));
  });
});
