/** Load balancers with the openstack client: real HAProxy, real backends, on the cloud's own machine. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { get as getSecurely } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withCloud } from '../support/cloud-with-users.js';
import { eventually } from '../support/eventually.js';
import type { OpenStackClient } from '../support/openstack-client.js';
import { outputOf } from '../support/run-program.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;
const PORT = 8080;
const TLS_PORT = 8443;

type Fields = Readonly<Record<string, unknown>>;

let demo: OpenStackClient;
let vip: string;
let folder: string;
const backends = new Map<string, Server>();

withCloud(
  {
    COMPUTE_HYPERVISOR: 'simulated',
    NETWORK_DATA_PLANE: 'user',
    LOADBALANCER_DATA_PLANE: 'haproxy',
    LOADBALANCER_LOOPBACK_MEMBERS: 'true',
    CUMULET_SEED_MICRO: 'false',
  },
  (started) => {
    ({ demo } = started);
  },
);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cumulet-balancer-'));
  for (const name of ['one', 'two']) await serve(name, 0);
});
afterAll(async () => {
  for (const server of backends.values()) server.close().closeAllConnections();
  await rm(folder, { recursive: true });
});

/** A backend that answers with its name. @returns its port */
async function serve(name: string, port: number): Promise<number> {
  const server = createServer((request, response) =>
    response.setHeader('X-Path', request.url ?? '').end(name),
  );
  await once(server.listen(port, '127.0.0.1'), 'listening');
  backends.set(name, server);
  return portOf(name);
}

function portOf(name: string): number {
  const { port } = (backends.get(name)?.address() ?? {}) as AddressInfo;
  return port;
}

async function stop(name: string): Promise<void> {
  const server = backends.get(name);
  server?.close().closeAllConnections();
  if (server?.listening) await once(server, 'close');
}

interface Fetched {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** One request on a connection of its own. */
async function fetched(path = '/', headers = {}, port = PORT): Promise<Fetched> {
  const request = get({ host: vip, port, path, headers, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let body = '';
  for await (const part of response) body += String(part);
  return { status: response.statusCode, headers: response.headers, body };
}

/** Who answers so many requests, sorted. */
async function answering(requests: number, headers = {}): Promise<string[]> {
  const names: string[] = [];
  for (let at = 0; at < requests; at += 1) names.push((await fetched('/', headers)).body);
  return names.sort();
}

const statusOf = async (what: string, column: string): Promise<unknown> =>
  (await demo.json<Fields>('loadbalancer', ...what.split(' ')))[column];

const becomes = (what: string, status: string): Promise<unknown> =>
  eventually(`${what} is ${status}`, 3 * MINUTES, async () =>
    (await statusOf(what, 'operating_status')) === status ? true : undefined,
  );

describe('the openstack client and load balancers', () => {
  it(
    'balances two backends in turns',
    async () => {
      const created = await demo.json<Fields>(
        ...words`loadbalancer create --name web --vip-subnet-id vips --wait`,
      );
      expect(created).toMatchObject({ provisioning_status: 'ACTIVE', provider: 'haproxy' });
      vip = String(created['vip_address']);
      await demo.text(
        ...words`loadbalancer listener create --name http --protocol HTTP`,
        ...words`--protocol-port ${String(PORT)} --wait web`,
      );
      await demo.text(
        ...words`loadbalancer pool create --name servers --listener http --protocol HTTP`,
        ...words`--lb-algorithm ROUND_ROBIN --wait`,
      );
      for (const name of ['one', 'two']) {
        await demo.text(
          ...words`loadbalancer member create --name ${name} --address 127.0.0.1`,
          ...words`--protocol-port ${String(portOf(name))} --wait servers`,
        );
      }
      expect(await answering(4)).toEqual(['one', 'one', 'two', 'two']);
    },
    10 * MINUTES,
  );

  it(
    'shows a backend that is gone, and goes on without it',
    async () => {
      await demo.text(
        ...words`loadbalancer healthmonitor create --name alive --type HTTP --delay 1 --timeout 1`,
        ...words`--max-retries 1 --max-retries-down 1 --wait servers`,
      );
      await becomes('member show servers one', 'ONLINE');
      const port = portOf('one');
      await stop('one');
      await becomes('member show servers one', 'ERROR');
      await becomes('show web', 'DEGRADED');
      expect(await answering(4)).toEqual(['two', 'two', 'two', 'two']);
      await serve('one', port);
      await becomes('member show servers one', 'ONLINE');
      expect(await answering(4)).toEqual(['one', 'one', 'two', 'two']);
    },
    10 * MINUTES,
  );

  it(
    'takes new connections from a member whose weight is 0',
    async () => {
      await demo.text(...words`loadbalancer member set --weight 0 --wait servers one`);
      expect(await answering(4)).toEqual(['two', 'two', 'two', 'two']);
      await becomes('member show servers one', 'DRAINING');
      await demo.text(...words`loadbalancer member set --weight 1 --wait servers one`);
      expect(await answering(4)).toEqual(['one', 'one', 'two', 'two']);
    },
    10 * MINUTES,
  );

  it(
    'redirects and rejects by policies',
    async () => {
      await demo.text(
        ...words`loadbalancer l7policy create --name moved --action REDIRECT_TO_URL`,
        ...words`--redirect-url http://www.example.com/new --redirect-http-code 301 --wait http`,
      );
      await demo.text(
        ...words`loadbalancer l7rule create --type PATH --compare-type STARTS_WITH --value /old`,
        ...words`--wait moved`,
      );
      const moved = await fetched('/old/page');
      expect(moved.status).toBe(301);
      expect(moved.headers['location']).toBe('http://www.example.com/new');
      expect((await fetched('/new')).status).toBe(200);

      await demo.text(
        ...words`loadbalancer l7policy create --name none --action REJECT --position 1 --wait http`,
      );
      await demo.text(
        ...words`loadbalancer l7rule create --type HEADER --key X-Robot --compare-type EQUAL_TO`,
        ...words`--value yes --wait none`,
      );
      expect((await fetched('/old', { 'X-Robot': 'yes' })).status).toBe(403);
    },
    10 * MINUTES,
  );

  it(
    'keeps a client with a cookie at its member',
    async () => {
      await demo.text(
        ...words`loadbalancer pool set --session-persistence type=HTTP_COOKIE --wait servers`,
      );
      const first = await fetched();
      const cookie = String(first.headers['set-cookie']).split(';')[0] ?? '';
      expect(cookie).not.toBe('');
      expect(await answering(4, { Cookie: cookie })).toEqual(Array(4).fill(first.body));
      await demo.text(...words`loadbalancer pool unset --session-persistence --wait servers`);
    },
    10 * MINUTES,
  );

  it(
    'counts what it has carried',
    async () => {
      const total = async (): Promise<number> => {
        const stats = await demo.json<Fields>(...words`loadbalancer stats show web`);
        return Number(stats['total_connections']);
      };
      const before = await total();
      await answering(5);
      await eventually('five more connections', 3 * MINUTES, async () =>
        (await total()) >= before + 5 ? true : undefined,
      );
      const listener = await demo.json<Fields>(...words`loadbalancer listener stats show http`);
      expect(Number(listener['bytes_out'])).toBeGreaterThan(0);
    },
    10 * MINUTES,
  );

  it(
    'terminates TLS with a bundle of the secrets service',
    async () => {
      const bundle = join(folder, 'bundle.p12');
      const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
      const subject = words`-subj /CN=www.example.com -days 2`;
      await outputOf('openssl', [
        ...words`req -x509 -newkey rsa:2048 -nodes -keyout ${key} -out ${certificate}`,
        ...subject,
      ]);
      await outputOf('openssl', [
        ...words`pkcs12 -export -inkey ${key} -in ${certificate} -out ${bundle} -passout pass:`,
      ]);
      const stored = await demo.json<Fields>(
        ...words`secret store --name bundle --payload-content-encoding base64`,
        '--payload-content-type=application/octet-stream',
        `--payload=${await readFile(bundle, 'base64')}`,
      );
      await demo.text(
        ...words`loadbalancer listener create --name https --protocol TERMINATED_HTTPS`,
        ...words`--protocol-port ${String(TLS_PORT)} --default-pool servers`,
        ...words`--default-tls-container-ref ${String(stored['Secret href'])} --wait web`,
      );
      const ca = await readFile(certificate, 'utf8');
      const request = getSecurely({
        host: vip,
        port: TLS_PORT,
        ca,
        servername: 'www.example.com',
        agent: false,
      });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      expect(response.statusCode).toBe(200);
      response.resume();
    },
    10 * MINUTES,
  );

  it(
    'shows the tree, and deletes all of it at once',
    async () => {
      // It prints JSON, whatever it is asked for.
      const text = await demo.text(...words`loadbalancer status show web`);
      const tree = JSON.parse(text) as { loadbalancer: Fields };
      expect(tree.loadbalancer).toMatchObject({
        name: 'web',
        provisioning_status: 'ACTIVE',
        operating_status: 'ONLINE',
        listeners: [
          { name: 'http', pools: [{ name: 'servers', members: [{}, {}] }] },
          { name: 'https', pools: [{ name: 'servers', members: [{}, {}] }] },
        ],
      });
      expect(await demo.refusal(...words`loadbalancer delete web`)).toContain('has children');
      await demo.text(...words`loadbalancer delete --cascade --wait web`);
      expect(await demo.json<Fields[]>(...words`loadbalancer list`)).toEqual([]);
      await expect(fetched()).rejects.toThrow('ECONNREFUSED');
    },
    10 * MINUTES,
  );
});
