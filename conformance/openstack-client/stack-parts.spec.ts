/** Hooks, signals, configurations and what the orchestration service tells of itself, with the openstack client. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import type { OpenStackClient } from '../support/openstack-client.js';
import { templateFiles } from '../support/template-files.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, unknown>>;

const HOOKED = `
heat_template_version: wallaby
resources:
  text:
    type: OS::Heat::RandomString
`;

const HOOKS = 'resource_registry: { resources: { text: { hooks: pre-create } } }\n';

const WAITING = `
heat_template_version: wallaby
resources:
  handle:
    type: OS::Heat::WaitConditionHandle
  waits:
    type: OS::Heat::WaitCondition
    properties: { handle: { get_resource: handle }, timeout: 300 }
outputs:
  data:
    value: { get_attr: [waits, data] }
`;

const STORING = `
heat_template_version: wallaby
resources:
  place:
    type: OS::Swift::Container
outputs:
  objects:
    value: { get_attr: [place, ObjectCount] }
`;

let demo: OpenStackClient;
let admin: OpenStackClient;
let hooked: string;
let hooks: string;
let waiting: string;
let storing: string;

const write = templateFiles();

withProject((started) => {
  ({ demo, admin } = started);
});

beforeAll(async () => {
  hooked = await write('hooked.yaml', HOOKED);
  hooks = await write('hooks.yaml', HOOKS);
  waiting = await write('waiting.yaml', WAITING);
  storing = await write('storing.yaml', STORING);
});

const run = (...command: string[]): Promise<string> => demo.text(...command);
const shown = (...command: string[]): Promise<Fields> => demo.json<Fields>(...command);
const listed = (...command: string[]): Promise<Fields[]> => demo.json<Fields[]>(...command);

const hasStatus = (stack: string, status: string): Promise<true> =>
  eventually(`${stack} is ${status}`, MINUTES, async () => {
    const { stack_status: now } = await shown(...words`stack show ${stack}`);
    return now === status ? true : undefined;
  });

describe('the openstack client', () => {
  it(
    'finds a hook and clears it',
    async () => {
      await run(...words`stack create --template ${hooked} --environment ${hooks} hooked`);
      await eventually('the hook is reached', MINUTES, async () => {
        const rows = await listed(...words`stack hook poll hooked`);
        return rows.length > 0 ? rows : undefined;
      });
      await run(...words`stack hook clear --pre-create hooked text`);
      await hasStatus('hooked', 'CREATE_COMPLETE');
      await run(...words`stack delete --yes --wait hooked`);
    },
    3 * MINUTES,
  );

  it(
    'signals a resource that waits',
    async () => {
      await run(...words`stack create --template ${waiting} waiting`);
      await eventually('the handle is there', MINUTES, async () => {
        const { resource_status: status } = await shown(
          ...words`stack resource show waiting handle`,
        );
        return status === 'CREATE_COMPLETE' ? true : undefined;
      });
      const data = JSON.stringify({ status: 'SUCCESS', id: 'one', data: 'done', reason: 'ready' });
      await run(...words`stack resource signal --data ${data} waiting handle`);
      await hasStatus('waiting', 'CREATE_COMPLETE');
      const { output_value: value } = await shown(...words`stack output show waiting data`);
      expect(JSON.parse(String(value))).toEqual({ one: 'done' });
      await run(...words`stack delete --yes --wait waiting`);
    },
    3 * MINUTES,
  );

  it(
    'has a bucket made for a user without an access key, and leaves none',
    async () => {
      await run(...words`stack create --template ${storing} --wait storing`);
      const { output_value: objects } = await shown(...words`stack output show storing objects`);
      expect(String(objects)).toBe('0');
      expect(await listed(...words`ec2 credentials list`)).toHaveLength(1);
      await run(...words`stack delete --yes --wait storing`);
      expect(await listed(...words`ec2 credentials list`)).toEqual([]);
    },
    3 * MINUTES,
  );

  it(
    'makes configurations and deployments',
    async () => {
      const script = await write('script.sh', '#!/bin/sh\necho hello\n');
      const config = await shown(
        ...words`software config create --config-file ${script} --group script greet`,
      );
      const id = String(config['id']);
      expect(await listed(...words`software config list`)).toMatchObject([{ name: 'greet' }]);
      await shown(...words`software config show ${id}`);
      const server = '11111111-2222-4333-8444-555555555555';
      const deployment = await shown(
        ...words`software deployment create --config ${id} --server ${server} --signal-transport NO_SIGNAL greeting`,
      );
      const deployed = String(deployment['id']);
      expect(await listed(...words`software deployment list`)).toHaveLength(1);
      await shown(...words`software deployment show ${deployed}`);
      await run(...words`software deployment metadata show ${server}`);
      await run(...words`software deployment output show --all ${deployed}`);
      await run(...words`software deployment delete ${deployed}`);
      await run(...words`software config delete ${id}`);
      expect(await listed(...words`software config list`)).toEqual([]);
    },
    3 * MINUTES,
  );

  it(
    'lists what templates may have, and reads one',
    async () => {
      const versions = await listed(...words`orchestration template version list`);
      expect(versions.map((row) => row['Version'])).toContain('heat_template_version.2021-04-16');
      const functions = await listed(
        ...words`orchestration template function list heat_template_version.2021-04-16`,
      );
      expect(functions.map((row) => row['Functions'])).toContain('get_attr');
      const types = await listed(...words`orchestration resource type list`);
      expect(types.map((row) => row['Resource Type'])).toContain('OS::Nova::Server');
      await run(...words`orchestration resource type show OS::Nova::Server`);
      await run(...words`orchestration resource type show --template-type hot OS::Neutron::Net`);
      await run(...words`orchestration template validate --template ${hooked}`);
      await shown(...words`orchestration build info`);
      const services = await admin.json<Fields[]>(...words`orchestration service list`);
      expect(services[0]).toMatchObject({ Status: 'up' });
    },
    3 * MINUTES,
  );
});
