/** The effect of data from an earlier build: keys, policies, rules and webhooks. */
import 'reflect-metadata';
import { createHash } from 'node:crypto';
import {
  DeleteObjectCommand,
  GetBucketCorsCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketLoggingCommand,
  GetBucketNotificationConfigurationCommand,
  GetBucketPolicyCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  type GetObjectCommandInput,
} from '@aws-sdk/client-s3';
import { TestClient } from '@cumulet/testing/http-client';
import { eventually } from '@cumulet/testing/settle';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Standalone } from '../standalone.js';
import {
  recordings,
  startRecorded,
  unpack,
  type AllRecordedThings,
  type RecordedFolder,
} from './recorded-folder.fixture.js';

const DEFAULT = { id: 'default' };
/** The ones before have three services, of which recorded-folders.dp.spec.ts sees all. */
const WITH_ALL_SERVICES = (await recordings()).filter((name) => name >= '2026-11-24');

describe.each(WITH_ALL_SERVICES)('in a data folder of %s', (recording) => {
  let folder: RecordedFolder;
  let things: AllRecordedThings;
  let standalone: Standalone;
  let client: TestClient;
  let token: string;
  const s3Clients: S3Client[] = [];

  beforeAll(async () => {
    folder = await unpack(recording);
    if (!folder.all) throw new Error(`${recording} has not all services`);
    things = folder.all;
    standalone = await startRecorded(folder);
    client = new TestClient(standalone.cloud.localUrl);
    const { password } = things.users.find(({ name }) => name === 'demo') ?? {};
    const user = { name: 'demo', domain: DEFAULT, password };
    const { headers } = await client.post('/identity/v3/auth/tokens', {
      body: {
        auth: {
          identity: { methods: ['password'], password: { user } },
          scope: { project: { name: 'demo', domain: DEFAULT } },
        },
      },
    });
    token = headers.get('X-Subject-Token') ?? '';
  });
  afterAll(async () => {
    for (const one of s3Clients) one.destroy();
    const { body } = await client.get('/compute/v2.1/servers', { token });
    for (const { id } of (body as { servers: { id: string }[] }).servers)
      await client.delete(`/compute/v2.1/servers/${id}`, { token });
    await eventually('no server is left', async () => {
      const { body: left } = await client.get('/compute/v2.1/servers', { token });
      return (left as { servers: unknown[] }).servers.length === 0;
    });
    await standalone.stop();
    await folder.remove();
  });

  const get = async (path: string): Promise<unknown> => {
    const { status, body } = await client.get(path, { token });
    expect([path, status]).toEqual([path, 200]);
    return body;
  };
  const s3Url = (): string =>
    standalone.cloud.services.find(({ name }) => name === 's3')?.url ?? '';
  const s3 = (key: keyof AllRecordedThings['buckets']['keys'] = 'own'): S3Client => {
    const { access, secret } = things.buckets.keys[key];
    const made = new S3Client({
      endpoint: s3Url(),
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: access, secretAccessKey: secret },
      maxAttempts: 1,
    });
    s3Clients.push(made);
    return made;
  };
  const read = async (Key: string, more: Partial<GetObjectCommandInput> = {}): Promise<string> => {
    const { Body } = await s3().send(
      new GetObjectCommand({ Bucket: things.buckets.bucket, Key, ...more }),
    );
    return (await Body?.transformToString()) ?? '';
  };

  it.each(['own', 'delegated', 'trusted'] as const)(
    'an access key that is %s acts for the project it was created for',
    async (key) => {
      // The trust's project has no buckets: they are another project's, whose policy decides.
      const Key = key === 'trusted' ? 'open/page.html' : 'kept/page';
      const Bucket = key === 'trusted' ? things.buckets.anonymous : things.buckets.bucket;
      const command = new GetObjectCommand({ Bucket, Key });
      const { ETag } = await s3(key).send(command);
      expect(ETag).toBeDefined();
    },
  );

  it('objects keep their data, versions, metadata and checksums', async () => {
    const { bucket: Bucket, first, large, customerKey } = things.buckets;
    expect(await read('versions')).toBe('the second');
    expect(await read('versions', { VersionId: first })).toBe('the first');
    expect(
      createHash('sha256')
        .update(await read('large'))
        .digest('hex'),
    ).toBe(large);
    const sealed = { SSECustomerAlgorithm: 'AES256', SSECustomerKey: customerKey };
    expect(await read('sealed', sealed)).toBe('sealed by its owner');
    await expect(read('sealed')).rejects.toThrow();
    await expect(read('gone')).rejects.toMatchObject({ name: 'NoSuchKey' });
    for (const name of ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256']) {
      const head = await s3().send(
        new HeadObjectCommand({ Bucket, Key: `sums/${name}`, ChecksumMode: 'ENABLED' }),
      );
      expect(head).toHaveProperty(`Checksum${name}`, expect.any(String));
    }
    const kept = await s3().send(new HeadObjectCommand({ Bucket, Key: 'kept/page' }));
    expect(kept.Metadata).toEqual({ purpose: 'recorded' });
    const { Parts } = await s3().send(new ListPartsCommand(things.buckets.upload));
    expect(Parts).toHaveLength(1);
  });

  it('a bucket policy grants and denies access as before', async () => {
    const { bucket: Bucket, anonymous, policy } = things.buckets;
    const found = await s3().send(new GetBucketPolicyCommand({ Bucket }));
    expect(JSON.parse(found.Policy ?? '')).toEqual(policy);
    const open = await fetch(`${s3Url()}/${anonymous}/open/page.html`);
    expect([open.status, await open.text()]).toEqual([200, 'open to all']);
    expect((await fetch(`${s3Url()}/${anonymous}/kept/page`)).status).toBe(403);
    const remove = new DeleteObjectCommand({ Bucket, Key: 'kept/page' });
    await expect(s3().send(remove)).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  it('a bucket keeps its settings, and a legal hold is in force', async () => {
    const { bucket: Bucket, lifecycle, cors, hook, held } = things.buckets;
    const rules = await s3().send(new GetBucketLifecycleConfigurationCommand({ Bucket }));
    expect(rules.Rules).toEqual(lifecycle);
    expect((await s3().send(new GetBucketCorsCommand({ Bucket }))).CORSRules).toEqual(cors);
    const told = await s3().send(new GetBucketNotificationConfigurationCommand({ Bucket }));
    expect(told.TopicConfigurations).toEqual([hook]);
    const logs = await s3().send(new GetBucketLoggingCommand({ Bucket }));
    expect(logs.LoggingEnabled?.TargetBucket).toBe('recorded-logs');
    await expect(s3().send(new DeleteObjectCommand(held))).rejects.toMatchObject({
      name: 'AccessDenied',
    });
    await s3().send(new PutObjectCommand({ Bucket, Key: 'new', Body: 'written since' }));
    expect(await read('new')).toBe('written since');
  });

  it('ports keep their DHCP options, and security groups their rules', async () => {
    const { port: id, options, rules } = things.networks;
    const { port } = (await get(`/networking/v2.0/ports/${id}`)) as {
      port: { extra_dhcp_opts: object[]; dns_name: string };
    };
    expect(port.extra_dhcp_opts).toEqual(expect.arrayContaining([...options]));
    expect(port.extra_dhcp_opts).toHaveLength(options.length);
    expect(port.dns_name).toBe('recorded');
    for (const rule of rules) {
      const found = await get(`/networking/v2.0/security-group-rules/${rule.id}`);
      expect(found).toMatchObject({ security_group_rule: rule });
    }
  });

  it('a load balancer is active, with the rules of its policy', async () => {
    const { id, policy, rules } = things.balancer;
    expect(await get(`/load-balancer/v2/lbaas/loadbalancers/${id}`)).toMatchObject({
      loadbalancer: { provisioning_status: 'ACTIVE' },
    });
    const { rules: found } = (await get(`/load-balancer/v2/lbaas/l7policies/${policy}/rules`)) as {
      rules: object[];
    };
    expect(found).toHaveLength(rules.length);
    for (const rule of rules) expect(found).toContainEqual(expect.objectContaining(rule));
    // It can still be changed, which writes all of it.
    const path = `/load-balancer/v2/lbaas/loadbalancers/${id}`;
    await client.put(path, { token, body: { loadbalancer: { description: 'changed' } } });
    await eventually('it is active again', async () => {
      const { body } = await client.get(path, { token });
      const { loadbalancer: now } = body as {
        loadbalancer: { provisioning_status: string; description: string };
      };
      return now.provisioning_status === 'ACTIVE' && now.description === 'changed';
    });
  });

  it('secrets can be decrypted', async () => {
    for (const { id, payload, type } of things.secrets) {
      const response = await fetch(
        `${standalone.cloud.localUrl}/key-manager/v1/secrets/${id}/payload`,
        { headers: { 'X-Auth-Token': token, Accept: type } },
      );
      const bytes = Buffer.from(await response.arrayBuffer());
      const text = type.startsWith('text/') ? bytes.toString() : bytes.toString('base64');
      expect([response.status, text]).toEqual([200, payload]);
    }
  });

  it('a stack keeps its outputs, and accepts webhooks and signals', async () => {
    const { id, outputs, grow, amazon } = things.stack;
    const { project } = (
      (await client.get('/identity/v3/auth/tokens', {
        token,
        headers: { 'X-Subject-Token': token },
      })) as { body: { token: { project: { id: string } } } }
    ).body.token;
    const path = `/orchestration/v1/${project.id}/stacks/recorded/${id}`;
    const now = async (): Promise<Record<string, unknown>> => {
      const { stack } = (await get(path)) as {
        stack: { outputs: { output_key: string; output_value: unknown }[] };
      };
      return Object.fromEntries(
        stack.outputs.map(({ output_key: key, output_value: value }) => [key, value]),
      );
    };
    expect(await now()).toMatchObject(outputs);
    expect((await client.post(grow, {})).status).toBe(200);
    await eventually('the group has grown', async () => {
      return Number((await now())['size']) === Number(outputs['size']) + 1;
    });
    const signal = { Status: 'SUCCESS', Reason: 'late', Data: 'late', UniqueId: 'late' };
    expect((await client.put(amazon, { body: signal })).status).toBe(200);
    const forged = amazon.replace(/Signature=./, 'Signature=-');
    expect((await client.put(forged, { body: signal })).status).toBe(403);
  });

  it('a cluster and its template are present', async () => {
    const { id, template } = things.cluster;
    expect(await get(`/container-infra/v1/clusters/${id}`)).toMatchObject({
      status: 'CREATE_COMPLETE',
      cluster_template_id: template,
      node_count: 1,
    });
    expect(await get(`/container-infra/v1/clustertemplates/${template}`)).toMatchObject({
      labels: { recorded: 'yes' },
    });
  });
});
