/** Stacks with the openstack client: what is done to them as a whole, and what they tell. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenStackClient } from '../support/openstack-client.js';
import { templateFiles } from '../support/template-files.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, unknown>>;

const TEMPLATE = `
heat_template_version: 2021-04-16
description: A network and a text.
parameters:
  length: { type: number, default: 12 }
resources:
  network:
    type: OS::Neutron::Net
  subnet:
    type: OS::Neutron::Subnet
    properties: { network: { get_resource: network }, cidr: 10.30.0.0/24 }
  text:
    type: OS::Heat::RandomString
    properties: { length: { get_param: length } }
outputs:
  text:
    description: A text of its own.
    value: { get_attr: [text, value] }
`;

const ENVIRONMENT = 'parameters: { length: 20 }\n';

const FAILING = `
heat_template_version: rocky
resources:
  fails:
    type: OS::Heat::TestResource
    properties: { fail: true }
`;

let demo: OpenStackClient;
let project: string;
let template: string;
let environment: string;
let failing: string;

const write = templateFiles();

withProject((started) => {
  ({ demo, project } = started);
});

beforeAll(async () => {
  template = await write('network.yaml', TEMPLATE);
  environment = await write('longer.yaml', ENVIRONMENT);
  failing = await write('failing.yaml', FAILING);
});

const run = (...command: string[]): Promise<string> => demo.text(...command);
const shown = (...command: string[]): Promise<Fields> => demo.json<Fields>(...command);
const listed = (...command: string[]): Promise<Fields[]> => demo.json<Fields[]>(...command);

const textOf = async (stack: string): Promise<unknown> =>
  (await shown(...words`stack output show ${stack} text`))['output_value'];

describe('the openstack client', () => {
  it(
    'creates, shows, changes and deletes a stack',
    async () => {
      await run(...words`stack create --template ${template} --tags red,blue --wait one`);
      expect(await shown(...words`stack show one`)).toMatchObject({
        stack_name: 'one',
        stack_status: 'CREATE_COMPLETE',
        tags: ['red', 'blue'],
        description: 'A network and a text.',
        stack_owner: project,
      });
      const before = await textOf('one');
      expect(before).toMatch(/^\w{12}$/);
      const names = async (): Promise<unknown[]> =>
        (await listed(...words`stack resource list one`)).map((row) => row['resource_name']);
      expect((await names()).sort()).toEqual(['network', 'subnet', 'text']);
      await run(
        ...words`stack update --template ${template} --environment ${environment} --tags red --wait one`,
      );
      expect(await textOf('one')).toMatch(/^\w{20}$/);
      expect(await listed(...words`stack list --tags red`)).toMatchObject([
        { 'Stack Name': 'one', 'Stack Status': 'UPDATE_COMPLETE' },
      ]);
      await run(...words`stack delete --yes --wait one`);
      expect(await listed(...words`stack list`)).toEqual([]);
      expect(await listed(...words`network list --name one-network`)).toEqual([]);
      expect(await listed(...words`stack list --deleted`)).toMatchObject([{ 'Stack Name': 'one' }]);
    },
    3 * MINUTES,
  );

  it(
    'shows what a stack was made of',
    async () => {
      await run(
        ...words`stack create --template ${template} --environment ${environment} --wait two`,
      );
      expect(await shown(...words`stack template show two`)).toMatchObject({
        heat_template_version: '2021-04-16',
      });
      expect(await shown(...words`stack environment show two`)).toMatchObject({
        parameters: { length: 20 },
      });
      expect(await run(...words`stack file list two`)).toBeDefined();
      expect(await listed(...words`stack output list two`)).toMatchObject([{ output_key: 'text' }]);
      const events = await listed(...words`stack event list two`);
      expect(events[0]).toMatchObject({ resource_name: 'two' });
      const [event] = await listed(...words`stack event list --resource network two`);
      expect(
        await shown(...words`stack event show two network ${String(event?.['id'])}`),
      ).toMatchObject({ resource_name: 'network' });
      const exported = await run(...words`stack export two`);
      expect(JSON.parse(exported)).toMatchObject({ name: 'two' });
    },
    3 * MINUTES,
  );

  it(
    'suspends, resumes, checks and cancels',
    async () => {
      await run(...words`stack suspend --wait two`);
      expect((await shown(...words`stack show two`))['stack_status']).toBe('SUSPEND_COMPLETE');
      await run(...words`stack resume --wait two`);
      await run(...words`stack check --wait two`);
      expect((await shown(...words`stack show two`))['stack_status']).toBe('CHECK_COMPLETE');
      await expect(run(...words`stack cancel two`)).rejects.toThrow(/cancel/i);
    },
    3 * MINUTES,
  );

  it(
    'takes snapshots, and goes back to one',
    async () => {
      const { ID: id } = await shown(...words`stack snapshot create --name before two`);
      expect(await listed(...words`stack snapshot list two`)).toMatchObject([{ name: 'before' }]);
      await shown(...words`stack snapshot show two ${String(id)}`);
      await run(...words`stack update --existing --parameter length=15 --wait two`);
      await run(...words`stack snapshot restore two ${String(id)}`);
      await run(...words`stack snapshot delete --yes two ${String(id)}`);
    },
    3 * MINUTES,
  );

  it(
    'shows resources, marks one as unhealthy and has it replaced',
    async () => {
      const before = await shown(...words`stack resource show two text`);
      expect(before).toMatchObject({ resource_type: 'OS::Heat::RandomString' });
      await run(...words`stack resource metadata two text`);
      await run(...words`stack resource mark unhealthy two text it-is-old`);
      await run(...words`stack update --existing --wait two`);
      const after = await shown(...words`stack resource show two text`);
      expect(after['physical_resource_id']).not.toBe(before['physical_resource_id']);
    },
    3 * MINUTES,
  );

  it(
    'says why a stack has failed, and gives one up or takes it over',
    async () => {
      await expect(
        run(...words`stack create --template ${failing} --wait broken`),
      ).rejects.toThrow();
      expect(await run(...words`stack failures list broken`)).toContain('fails');
      await run(...words`stack delete --yes --wait broken`);
      const data = await run(...words`stack abandon two`);
      const file = await write('abandoned.json', data);
      await run(...words`stack adopt --adopt-file ${file} --wait two`);
      expect((await shown(...words`stack show two`))['stack_status']).toBe('ADOPT_COMPLETE');
      await run(...words`stack delete --yes --wait two`);
    },
    3 * MINUTES,
  );
});
