/** TLS of load balancers, of the secrets service as it is. */
import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { loadBalancerService } from '@cumulet/loadbalancer/service';
import {
  AUTHORITY,
  OTHER_KEY,
  PKCS12,
  SERVER_CERTIFICATE,
  SERVER_KEY,
} from '@cumulet/loadbalancer/tls/certificates.fixture';
import type { TestResponse } from '@cumulet/testing/http-client';
import { eventually } from '@cumulet/testing/settle';
import { SERVICES } from './services.js';
import { startTestCloud, type TestCloud } from './test-cloud.fixture.js';

let cloud: TestCloud;
let demo: string;
let loadBalancerId: string;

const KEYS = '/key-manager/v1';
const LBAAS = '/load-balancer/v2.0/lbaas';

type Fields = Readonly<Record<string, unknown>> & { readonly id: string };

function first({ status, text, body }: TestResponse): Fields {
  if (status >= 300) throw new Error(text);
  return Object.values(body as Record<string, Fields>)[0] as Fields;
}

const post = (path: string, body: object): Promise<TestResponse> =>
  cloud.client.post(path, { token: demo, body });

/** @returns the address of a new secret */
async function store(payload: string | Buffer): Promise<string> {
  const isText = typeof payload === 'string';
  const { status, text, body } = await post(`${KEYS}/secrets`, {
    payload: isText ? payload : payload.toString('base64'),
    payload_content_type: isText ? 'text/plain' : 'application/octet-stream',
    ...(isText ? {} : { payload_content_encoding: 'base64' }),
  });
  if (status >= 300) throw new Error(text);
  return (body as { secret_ref: string }).secret_ref;
}

async function contain(key: string): Promise<string> {
  const named = { certificate: SERVER_CERTIFICATE, private_key: key, intermediates: AUTHORITY };
  const refs = Object.entries(named).map(async ([name, payload]) => ({
    name,
    secret_ref: await store(payload),
  }));
  const body = { type: 'certificate', name: 'www', secret_refs: await Promise.all(refs) };
  const answer = await post(`${KEYS}/containers`, body);
  if (answer.status >= 300) throw new Error(answer.text);
  return (answer.body as { container_ref: string }).container_ref;
}

async function settled(): Promise<unknown> {
  let status: unknown;
  await eventually('it is settled', async () => {
    const path = `${LBAAS}/loadbalancers/${loadBalancerId}`;
    status = first(await cloud.client.get(path, { token: demo }))['provisioning_status'];
    return status === 'ACTIVE' || status === 'ERROR';
  });
  return status;
}

const listen = (port: number, refs: object): Promise<TestResponse> =>
  post(`${LBAAS}/listeners`, {
    listener: {
      loadbalancer_id: loadBalancerId,
      protocol: 'TERMINATED_HTTPS',
      protocol_port: port,
      ...refs,
    },
  });

async function consumersOf(ref: string): Promise<unknown> {
  const { pathname } = new URL(ref);
  const { body } = await cloud.client.get(`${pathname}/consumers`, { token: demo });
  return (body as { consumers: unknown }).consumers;
}

beforeAll(async () => {
  const names = ['identity', 'network', 'secrets'];
  const needed = SERVICES.filter(({ name }) => names.includes(name));
  cloud = await startTestCloud([...needed, loadBalancerService], {
    LOADBALANCER_DATA_PLANE: 'simulated',
  });
  demo = await cloud.login('demo', cloud.secrets.demoPassword);
  const network = first(await post('/networking/v2.0/networks', { network: {} }));
  const subnet = { network_id: network.id, cidr: '10.0.0.0/24', ip_version: 4 };
  const { id } = first(await post('/networking/v2.0/subnets', { subnet }));
  const asked = { loadbalancer: { vip_subnet_id: id } };
  loadBalancerId = first(await post(`${LBAAS}/loadbalancers`, asked)).id;
  expect(await settled()).toBe('ACTIVE');
});
afterAll(() => cloud.stop());

it("a listener reads its owner's secrets, and is their consumer until it is deleted", async () => {
  const [container, bundle] = [await contain(SERVER_KEY), await store(PKCS12)];
  const refs = { default_tls_container_ref: container, sni_container_refs: [bundle] };
  const { id } = first(await listen(443, refs));
  expect(await settled()).toBe('ACTIVE');
  expect(await consumersOf(container)).toMatchObject([
    { name: 'Octavia', URL: `lbaas://listeners/${id}` },
  ]);
  expect(await consumersOf(bundle)).toMatchObject([
    { service: 'Octavia', resource_type: 'listener', resource_id: id },
  ]);
  await cloud.client.delete(`${LBAAS}/listeners/${id}`, { token: demo });
  expect(await settled()).toBe('ACTIVE');
  await eventually('nobody uses them', async () => {
    const users = [await consumersOf(container), await consumersOf(bundle)];
    return JSON.stringify(users) === '[[],[]]';
  });
});

it('a listener is refused a key of another certificate, and private secrets of others', async () => {
  const wrong = await contain(OTHER_KEY);
  const refused = await listen(444, { default_tls_container_ref: wrong });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('do not match')]);
  const bundle = await store(PKCS12);
  const acl = { read: { 'project-access': false, users: [] } };
  await cloud.client.put(`${new URL(bundle).pathname}/acl`, { token: demo, body: acl });
  const hidden = await listen(445, { default_tls_container_ref: bundle });
  expect([hidden.status, hidden.text]).toEqual([400, expect.stringContaining('private to others')]);
});
