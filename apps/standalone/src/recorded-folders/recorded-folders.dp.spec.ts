/** Data folders of earlier builds with this one: nothing in them is lost. */
import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestClient } from '@cumulet/testing/http-client';
import { eventually } from '@cumulet/testing/settle';
import type { Standalone } from '../standalone.js';
import {
  recordings,
  rowsOf,
  startRecorded,
  unpack,
  type RecordedFolder,
  type RecordedThings,
} from './recorded-folder.fixture.js';

/** Columns that any start writes, as the cloud is elsewhere at another time. */
const WRITTEN_AT_START: Readonly<Record<string, readonly string[]>> = {
  'identity.endpoints': ['url', 'setting_url'],
  'images.store_claim': ['store'],
  // Bytes that were not read for a week are compared with their checksum.
  'images.images': ['scrubbed_at'],
  's3.store_claim': ['store'],
  // Facts of the machine, which may differ from the one of the recording.
  'compute.hosts': [
    'seen_at',
    'uptime',
    'free_disk_gb',
    'disk_gb',
    'memory_mb',
    'vcpus',
    'cpu',
    'hypervisor_version',
  ],
  'loadbalancer.hosts': ['seen_at'],
  'network.agents': ['seen_at', 'heartbeat_at'],
  // A data plane gets all of it anew.
  'network.networks': ['generation', 'state_since'],
  'network.ports': ['generation', 'state_since', 'previous_state'],
  'network.routers': ['generation', 'state_since', 'applied_at'],
  'network.security_groups': ['generation', 'state_since'],
  'loadbalancer.load_balancers': ['generation', 'state_since', 'updated_at'],
  'loadbalancer.instances': ['updated_at'],
  'clusters.clusters': ['health_status', 'health_status_reason', 'health_checked_at'],
  // A guest whose process is gone is started again.
  'compute.servers': [
    'state',
    'previous_state',
    'state_since',
    'state_deadline',
    'state_reason',
    'generation',
    'updated_at',
  ],
};

/** Rows with a time after which they go: by now it may be over, or they are delivered. */
const SHORT_LIVED = [
  'clusters.engines',
  'identity.idempotency_keys',
  'identity.revocations',
  'images.tasks',
  'network.idempotency_keys',
  'orchestration.engines',
  'orchestration.idempotency_keys',
  's3.access_log_batches',
];

const DEFAULT = { id: 'default' };

describe.each(await recordings())('a data folder of %s', (recording) => {
  let folder: RecordedFolder;
  let things: RecordedThings;
  let secrets: Record<string, string>;
  let standalone: Standalone;
  let client: TestClient;

  beforeAll(async () => {
    folder = await unpack(recording);
    ({ things } = folder);
    secrets = await readSecretsOf(folder);
    standalone = await startRecorded(folder);
    client = new TestClient(standalone.cloud.localUrl);
  });
  afterAll(async () => {
    const token = await logIn('demo');
    for (const { id } of things.servers)
      await client.delete(`/compute/v2.1/servers/${id}`, { token });
    await eventually('no server is left', async () => {
      const { body } = await client.get('/compute/v2.1/servers', { token });
      return (body as { servers: unknown[] }).servers.length === 0;
    });
    await standalone.stop();
    await folder.remove();
  });

  const authenticate = (identity: object, scope?: object) =>
    client.post('/identity/v3/auth/tokens', { body: { auth: { identity, scope } } });
  const logIn = async (name: string): Promise<string> => {
    const { password } = things.users.find((user) => user.name === name) ?? {};
    const response = await authenticate(
      { methods: ['password'], password: { user: { name, domain: DEFAULT, password } } },
      { project: { name, domain: DEFAULT } },
    );
    expect(response.status).toBe(201);
    return response.headers.get('X-Subject-Token') ?? '';
  };

  it('keeps its rows', async () => {
    const rows = await rowsOf(folder);
    const lost: Record<string, unknown[]> = {};
    for (const [table, recorded] of folder.rows) {
      if (SHORT_LIVED.includes(table)) continue;
      const now = rows.get(table) ?? [];
      const written = WRITTEN_AT_START[table] ?? [];
      const columns = Object.keys(recorded[0] ?? {}).filter((column) => !written.includes(column));
      const text = (row: Record<string, unknown>) =>
        JSON.stringify(columns.map((name) => row[name]));
      const known = new Set(now.map(text));
      const missing = recorded.filter((row) => !known.has(text(row)));
      if (missing.length > 0) lost[table] = missing;
    }
    expect(lost).toEqual({});
  });

  it('keeps its secrets', async () => {
    const now = await readSecretsOf(folder);
    // Services that have joined since have keys of their own.
    expect(now).toMatchObject(secrets);
  });

  it('lets its users log in with their passwords, with tokens signed by its own key', async () => {
    for (const { name } of things.users) {
      const [header = ''] = (await logIn(name)).split('.');
      expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({
        kid: things.kid,
      });
    }
  });

  it('lets a trustee log in', async () => {
    const { password } = things.users.find(({ name }) => name === 'demo') ?? {};
    const response = await authenticate(
      { methods: ['password'], password: { user: { name: 'demo', domain: DEFAULT, password } } },
      { 'OS-TRUST:trust': { id: things.trust.id } },
    );
    expect(response.body).toMatchObject({ token: { project: { name: 'recorded' } } });
  });

  it('lets an application credential log in, within its access rules', async () => {
    const response = await authenticate({
      methods: ['application_credential'],
      application_credential: things.application,
    });
    const token = response.headers.get('X-Subject-Token') ?? '';
    expect((await client.get('/image/v2/images', { token })).status).toBe(200);
    expect((await client.get('/image/v2/tasks', { token })).status).toBe(403);
  });

  it('decrypts what was encrypted', async () => {
    const { user, access, secret } = things.ec2;
    const token = await logIn('admin');
    const path = `/identity/v3/users/${user}/credentials/OS-EC2/${access}`;
    expect((await client.get(path, { token })).body).toMatchObject({ credential: { secret } });
  });

  it('has the data of its images', async () => {
    const token = await logIn('admin');
    for (const { id, sha256 } of things.images) {
      const response = await fetch(`${standalone.cloud.localUrl}/image/v2/images/${id}/file`, {
        headers: { 'X-Auth-Token': token },
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    }
  });

  it('has its servers in their states, and can start a stopped one', async () => {
    const token = await logIn('demo');
    const server = async (id: string): Promise<Record<string, unknown>> => {
      const { body } = await client.get(`/compute/v2.1/servers/${id}`, { token });
      return (body as { server: Record<string, unknown> }).server;
    };
    const isUp = async (id: string, status: string): Promise<boolean> => {
      const { status: now, 'OS-EXT-STS:task_state': task } = await server(id);
      return now === status && task === null;
    };
    for (const { id, status } of things.servers)
      await eventually(`${id} is ${status}`, () => isUp(id, status));
    for (const { id } of things.servers.filter(({ status }) => status === 'SHUTOFF')) {
      await client.post(`/compute/v2.1/servers/${id}/action`, {
        token,
        body: { 'os-start': null },
      });
      await eventually(`${id} is ACTIVE`, () => isUp(id, 'ACTIVE'));
    }
    for (const { id } of things.servers) {
      await eventually(`${id} has booted from its disk`, async () => {
        const { body } = await client.post(`/compute/v2.1/servers/${id}/action`, {
          token,
          body: { 'os-getConsoleOutput': {} },
        });
        return (body as { output: string }).output.includes('recorded guest');
      });
    }
  });
});

it('a data folder that is older than a service gets its key and its database', async () => {
  const [recording = ''] = await recordings();
  const folder = await unpack(recording, ['identity', 'images']);
  const path = join(folder.path, 'secrets.json');
  const { computeKey, ...secrets } = await readSecretsOf(folder);
  await writeFile(path, JSON.stringify(secrets));
  const standalone = await startRecorded(folder);
  try {
    const now = await readSecretsOf(folder);
    const key = expect.stringMatching(/^[0-9a-f]{64}$/);
    const keys = {
      computeKey: key,
      networkKey: key,
      secretsKey: key,
      orchestrationKey: key,
      clustersKey: key,
      s3Key: key,
    };
    expect(now).toEqual({ ...secrets, ...keys });
    expect(now['computeKey']).not.toBe(computeKey);
    const client = new TestClient(standalone.cloud.localUrl);
    expect((await client.get('/compute/readyz')).status).toBe(200);
  } finally {
    await standalone.stop();
    await folder.remove();
  }
});

async function readSecretsOf({ path }: RecordedFolder): Promise<Record<string, string>> {
  return JSON.parse(await readFile(join(path, 'secrets.json'), 'utf8')) as Record<string, string>;
}
