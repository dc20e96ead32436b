/** What is done to load balancers while the cloud is killed: something of each kind of part. */
import type { Answer, CloudClient } from './cloud-client.js';

const LBAAS = '/load-balancer/v2.0/lbaas';

export interface TreeRow {
  readonly id: string;
  readonly name: string;
  readonly provisioning_status: string;
  readonly provisioning_status_reason: string | null;
  readonly vip_address: string;
  readonly listeners: readonly { readonly id: string }[];
  readonly pools: readonly { readonly id: string }[];
}

export function send(
  client: CloudClient,
  method: string,
  path: string,
  json?: object,
): Promise<Answer> {
  return client.send(method, LBAAS + path, json === undefined ? {} : { json });
}

/** @returns the rows of a list; undefined where no answer came */
export async function rowsOf<T>(client: CloudClient, path: string): Promise<T[] | undefined> {
  const { status, body } = await send(client, 'GET', path);
  return status === 200 ? (Object.values(body as Record<string, T[]>)[0] ?? []) : undefined;
}

/** A whole load balancer in one request. */
export function wholeTree(name: string, subnetId: string): object {
  const members = [member(), member()];
  const pool = { name, protocol: 'HTTP', lb_algorithm: 'ROUND_ROBIN', members };
  const listener = { name, protocol: 'HTTP', protocol_port: 8080, default_pool: pool };
  return { loadbalancer: { name, vip_subnet_id: subnetId, listeners: [listener] } };
}

const anyPort = (): number => 20_000 + Math.floor(Math.random() * 20_000);

const member = (): object => ({
  address: `127.1.${Math.floor(Math.random() * 250)}.${1 + Math.floor(Math.random() * 250)}`,
  protocol_port: anyPort(),
});

type Change = (client: CloudClient, tree: TreeRow) => Promise<Answer>;

const poolOf = ({ pools: [pool] }: TreeRow): string => pool?.id ?? 'none';

const CHANGES: readonly Change[] = [
  (client, { id }) =>
    send(client, 'POST', '/listeners', {
      listener: { loadbalancer_id: id, protocol: 'HTTP', protocol_port: anyPort() },
    }),
  (client, { listeners }) => send(client, 'DELETE', `/listeners/${listeners.at(-1)?.id ?? 'none'}`),
  (client, { listeners }) =>
    send(client, 'PUT', `/listeners/${listeners[0]?.id ?? 'none'}`, {
      listener: { connection_limit: anyPort() },
    }),
  (client, tree) => send(client, 'POST', `/pools/${poolOf(tree)}/members`, { member: member() }),
  (client, tree) =>
    send(client, 'PUT', `/pools/${poolOf(tree)}/members`, {
      members: Array.from({ length: 5 }, member),
    }),
  async (client, tree) => {
    const path = `/pools/${poolOf(tree)}/members`;
    const [one] = (await rowsOf<{ id: string }>(client, path)) ?? [];
    const weight = Math.floor(Math.random() * 10);
    return send(client, 'PUT', `${path}/${one?.id ?? 'none'}`, { member: { weight } });
  },
  (client, tree) =>
    send(client, 'POST', '/healthmonitors', {
      healthmonitor: {
        pool_id: poolOf(tree),
        type: 'TCP',
        delay: 1,
        timeout: 1,
        max_retries: 1,
      },
    }),
  (client, { id }) => client.send('PUT', `${LBAAS}/loadbalancers/${id}/failover`, { as: 'admin' }),
  (client, { id }) => send(client, 'DELETE', `/loadbalancers/${id}?cascade=true`),
];

/** One change, chosen at random; what the tree's state does not allow is refused. */
export function change(client: CloudClient, tree: TreeRow): Promise<Answer> {
  const one = CHANGES[Math.floor(Math.random() * CHANGES.length)] as Change;
  return one(client, tree);
}
