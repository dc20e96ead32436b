/** Stacks with the OpenStack SDK, as programs and Ansible's modules use it. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from '@jest/globals';
import { PythonEnvironment } from '../support/python-environment.js';
import { outputOf } from '../support/run-program.js';
import { templateFiles } from '../support/template-files.js';
import { withProject } from '../support/with-project.js';

const MINUTES = 60_000;

const CHILD = `
heat_template_version: wallaby
parameters:
  length: { type: number }
resources:
  random:
    type: OS::Heat::RandomString
    properties: { length: { get_param: length } }
outputs:
  value: { value: { get_attr: [random, value] } }
`;

const ENVIRONMENT = `
parameters: { length: 7 }
resource_registry: { "My::Text": child.yaml }
`;

const template = (greeting: string): string => `
heat_template_version: wallaby
parameters:
  length: { type: number, default: 3 }
  who: { type: string }
resources:
  text:
    type: My::Text
    properties: { length: { get_param: length } }
  greeting:
    type: OS::Heat::Value
    properties:
      value:
        str_replace:
          template: { get_file: ${greeting} }
          params: { NAME: { get_param: who } }
outputs:
  greeting: { value: { get_attr: [greeting, value] } }
`;

const PLAIN = `
heat_template_version: wallaby
parameters:
  value: { type: string, default: a }
resources:
  one: { type: OS::Heat::Value, properties: { value: { get_param: value } } }
`;

let cloudsYaml: string;
let folder: string;

const write = templateFiles();

withProject((own) => {
  ({ cloudsYaml } = own);
});

beforeAll(async () => {
  await write('child.yaml', CHILD);
  await write('environment.yaml', ENVIRONMENT);
  await write('hello.txt', 'hello NAME');
  await write('bye.txt', 'bye NAME');
  await write('changed.yaml', template('bye.txt'));
  await write('plain.yaml', PLAIN);
  folder = dirname(await write('template.yaml', template('hello.txt')));
});

it(
  'the OpenStack SDK makes stacks of files, looks at them, and changes and deletes them',
  async () => {
    const python = await PythonEnvironment.install('openstack-client');
    const program = fileURLToPath(new URL('./sdk_stacks.py', import.meta.url));
    const env = { OS_CLIENT_CONFIG_FILE: cloudsYaml, OS_CLOUD: 'cumulet' };
    const seen = await outputOf(python.program('python'), [program, folder], { env });
    expect(JSON.parse(seen)).toEqual({
      created: ['CREATE_COMPLETE', ['blue', 'red'], 30, true],
      outputs: { greeting: 'hello given' },
      found: [true, 'sdk', null, null],
      listed: { red: ['sdk'], 'not red': [], status: ['sdk'], searched: ['sdk'] },
      resources: {
        text: ['My::Text', 'CREATE_COMPLETE'],
        greeting: ['OS::Heat::Value', 'CREATE_COMPLETE'],
      },
      template: ['greeting', 'text'],
      environment: { length: 7, who: 'given' },
      files: ['child.yaml', 'hello.txt'],
      events: ['CREATE_COMPLETE', 'CREATE_IN_PROGRESS'],
      'events of one': ['CREATE_IN_PROGRESS', 'CREATE_COMPLETE'],
      updated: ['UPDATE_COMPLETE', ['green'], { greeting: 'bye changed' }],
      SUSPEND_COMPLETE: 'SUSPEND_COMPLETE',
      RESUME_COMPLETE: 'RESUME_COMPLETE',
      CHECK_COMPLETE: 'CHECK_COMPLETE',
      exported: ['sdk', 'COMPLETE', ['greeting', 'text']],
      previewed: ['previewed', null],
      validated: ['value'],
      refused: true,
      deployment: ['COMPLETE', [true]],
      abandoned: 'abandoned',
      deleted: [true, false],
      left: [],
    });
  },
  5 * MINUTES,
);
