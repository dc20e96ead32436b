/** What is done to stacks while the cloud is killed. */
import type { Answer, CloudClient } from './cloud-client.js';

const STACKS = '/orchestration/stacks';

export interface StackRow {
  readonly id: string;
  readonly stack_name: string;
  readonly stack_status: string;
  readonly stack_status_reason: string;
}

export interface ResourceRow {
  readonly resource_name: string;
  readonly resource_type: string;
  readonly resource_status: string;
  readonly physical_resource_id: string;
}

/** What a stack makes in other services, by its type there. */
export const MADE: Readonly<Record<string, { readonly path: string; readonly plural: string }>> = {
  'OS::Neutron::Net': { path: '/networking/v2.0/networks', plural: 'networks' },
  'OS::Neutron::SecurityGroup': {
    path: '/networking/v2.0/security-groups',
    plural: 'security_groups',
  },
  'OS::Neutron::Port': { path: '/networking/v2.0/ports', plural: 'ports' },
  'OS::Nova::Server': { path: '/compute/v2.1/servers', plural: 'servers' },
};

/**
 * A server on a network of its own, resources that follow one another, and a stack below.
 * @param text another one changes some in place, and replaces others
 */
export function stackTemplate(imageId: string, text: string): object {
  const get_resource = (name: string): object => ({ get_resource: name });
  const follows = (name: string): object => ({
    type: 'OS::Heat::TestResource',
    properties: { value: { get_attr: [name, 'output'] }, update_replace: text.length % 2 === 0 },
  });
  return {
    heat_template_version: '2021-04-16',
    resources: {
      network: { type: 'OS::Neutron::Net' },
      subnet: {
        type: 'OS::Neutron::Subnet',
        properties: { network: get_resource('network'), cidr: '10.70.0.0/24' },
      },
      group: { type: 'OS::Neutron::SecurityGroup', properties: { description: text } },
      port: {
        type: 'OS::Neutron::Port',
        depends_on: 'subnet',
        properties: {
          network: get_resource('network'),
          security_groups: [get_resource('group')],
        },
      },
      server: {
        type: 'OS::Nova::Server',
        properties: {
          image: imageId,
          flavor: 'm1.nano',
          metadata: { text },
          networks: [{ port: get_resource('port') }],
        },
      },
      below: {
        type: 'OS::Heat::ResourceGroup',
        properties: {
          count: text.length % 3,
          resource_def: {
            type: 'OS::Neutron::SecurityGroup',
            properties: { description: text },
          },
        },
      },
      first: { type: 'OS::Heat::TestResource', properties: { value: text } },
      second: follows('first'),
      third: follows('second'),
    },
  };
}

/** @returns the rows of all stacks; undefined where no answer came */
export async function stackRows(client: CloudClient): Promise<StackRow[] | undefined> {
  const { status, body } = await client.send('GET', STACKS);
  return status === 200 ? (body as { stacks: StackRow[] }).stacks : undefined;
}

/** Likewise with those below others. */
export async function allStackRows(client: CloudClient): Promise<StackRow[] | undefined> {
  const { status, body } = await client.send('GET', `${STACKS}?show_nested=true`);
  return status === 200 ? (body as { stacks: StackRow[] }).stacks : undefined;
}

/** Of the stack, and of those below it. */
export async function resourceRows(client: CloudClient, stack: StackRow): Promise<ResourceRow[]> {
  const { status, body } = await client.send('GET', `${pathOf(stack)}/resources?nested_depth=5`);
  if (status !== 200) throw new Error(`the resources of ${stack.stack_name} answered ${status}`);
  return (body as { resources: ResourceRow[] }).resources;
}

export function createStack(client: CloudClient, name: string, imageId: string): Promise<Answer> {
  const template = stackTemplate(imageId, name);
  const json = { stack_name: name, template, disable_rollback: Math.random() < 0.7 };
  return client.send('POST', STACKS, { json });
}

export function deleteStack(client: CloudClient, stack: StackRow): Promise<Answer> {
  return client.send('DELETE', pathOf(stack));
}

/** One change, chosen at random: most are updates, which may supersede one another. */
export function changeStack(
  client: CloudClient,
  stack: StackRow,
  imageId: string,
): Promise<Answer> {
  const chance = Math.random();
  if (chance < 0.25) return deleteStack(client, stack);
  const action = chance < 0.35 ? 'check' : chance < 0.45 ? 'suspend' : chance < 0.55 && 'resume';
  if (action) return client.send('POST', `${pathOf(stack)}/actions`, { json: { [action]: null } });
  const text = 'x'.repeat(1 + Math.floor(Math.random() * 30));
  const json = { template: stackTemplate(imageId, text) };
  return client.send('PUT', pathOf(stack), { json });
}

const pathOf = ({ stack_name: name, id }: StackRow): string => `${STACKS}/${name}/${id}`;
