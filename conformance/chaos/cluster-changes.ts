/** What is done to clusters while the cloud is killed. */
import type { Answer, CloudClient } from './cloud-client.js';

const SERVICE = '/container-infra/v1';
/** Masters may be resized behind a load balancer alone. */
const TEMPLATE = {
  coe: 'kubernetes',
  external_network_id: 'public',
  flavor_id: 'm1.micro',
  master_flavor_id: 'm1.micro',
  master_lb_enabled: true,
};
const DEFAULT_GROUPS = ['default-master', 'default-worker'];
const MAX_NODES = 4;

export interface ClusterRow {
  readonly uuid: string;
  readonly name: string;
  readonly status: string;
  readonly status_reason: string | null;
}

export interface GroupRow {
  readonly name: string;
  readonly status: string;
  readonly node_count: number;
  readonly node_addresses: readonly string[];
}

/** @returns the answer of the clusters service */
export function ask(
  client: CloudClient,
  method: string,
  path: string,
  json?: object,
): Promise<Answer> {
  const version = 'container-infra latest';
  return client.send(method, SERVICE + path, json === undefined ? { version } : { version, json });
}

/** @returns the rows of a list; undefined where no answer came */
export async function rowsOf<T>(client: CloudClient, path: string): Promise<T[] | undefined> {
  const { status, body } = await ask(client, 'GET', path);
  return status === 200 ? (Object.values(body as Record<string, T[]>)[0] ?? []) : undefined;
}

/** What a list has, or cannot be read. */
export async function allOf<T>(client: CloudClient, path: string): Promise<T[]> {
  const rows = await rowsOf<T>(client, path);
  if (!rows) throw new Error(`there is no answer of ${path}`);
  return rows;
}

/** @returns the id of a template of that name */
export async function createTemplate(
  client: CloudClient,
  name: string,
  imageId: string,
): Promise<string> {
  const json = { ...TEMPLATE, name, image_id: imageId };
  const { status, body } = await ask(client, 'POST', '/clustertemplates', json);
  if (status !== 201) throw new Error(`a template: ${status} ${JSON.stringify(body)}`);
  return (body as { uuid: string }).uuid;
}

export function createCluster(
  client: CloudClient,
  name: string,
  templateId: string,
): Promise<Answer> {
  return ask(client, 'POST', '/clusters', {
    name,
    cluster_template_id: templateId,
    master_count: Math.random() < 0.3 ? 3 : 1,
    node_count: anyCount(),
  });
}

type Change = (client: CloudClient, id: string, templateIds: readonly string[]) => Promise<Answer>;

/** What is not possible while something else is under way with the cluster is refused. */
const CHANGES: readonly Change[] = [
  (client, id) => ask(client, 'POST', `/clusters/${id}/actions/resize`, { node_count: anyCount() }),
  (client, id) =>
    ask(client, 'PATCH', `/clusters/${id}?rollback=true`, [
      { op: 'replace', path: '/node_count', value: anyCount() },
    ]),
  (client, id) =>
    ask(client, 'POST', `/clusters/${id}/actions/resize`, {
      node_count: Math.random() < 0.5 ? 1 : 3,
      nodegroup: 'default-master',
    }),
  (client, id, templateIds) =>
    ask(client, 'POST', `/clusters/${id}/actions/upgrade`, {
      cluster_template: anyOf(templateIds),
      max_batch_size: 1,
    }),
  (client, id) =>
    ask(client, 'POST', `/clusters/${id}/nodegroups`, {
      name: `group-${Math.floor(Math.random() * 1_000_000)}`,
      node_count: anyCount(),
    }),
  async (client, id) => {
    const groups = await ownGroups(client, id);
    return ask(client, 'DELETE', `/clusters/${id}/nodegroups/${anyOf(groups) ?? 'none'}`);
  },
  async (client, id) => {
    const groups = await ownGroups(client, id);
    const json = { node_count: anyCount(), nodegroup: anyOf(groups) ?? 'none' };
    return ask(client, 'POST', `/clusters/${id}/actions/resize`, json);
  },
  (client, id) => ask(client, 'PATCH', `/certificates/${id}`),
  (client, id) => ask(client, 'PATCH', `/credentials/${id}`),
];

/** One change, chosen at random, that leaves the cluster there. */
export function changeCluster(
  client: CloudClient,
  id: string,
  templateIds: readonly string[],
): Promise<Answer> {
  const one = anyOf(CHANGES) as Change;
  return one(client, id, templateIds);
}

async function ownGroups(client: CloudClient, id: string): Promise<string[]> {
  const rows = (await rowsOf<GroupRow>(client, `/clusters/${id}/nodegroups`)) ?? [];
  return rows.map(({ name }) => name).filter((name) => !DEFAULT_GROUPS.includes(name));
}

function anyCount(): number {
  return Math.floor(Math.random() * (MAX_NODES + 1));
}

function anyOf<T>(all: readonly T[]): T | undefined {
  return all[Math.floor(Math.random() * all.length)];
}
