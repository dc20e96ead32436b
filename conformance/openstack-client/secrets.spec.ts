/** Secrets, containers, consumers and ACLs, with the openstack client, against the standalone cloud. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenStackClient } from '../support/openstack-client.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, unknown>>;

let admin: OpenStackClient;
let demo: OpenStackClient;
let url: string;
let folder: string;

withProject((started) => {
  ({ admin, demo } = started);
  url = `${started.cloud.url}/key-manager/v1`;
});
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cumulet-secrets-'));
});
afterAll(() => rm(folder, { recursive: true }));

const TEXT = words`--payload-content-type text/plain`;

async function store(...args: string[]): Promise<string> {
  const { 'Secret href': ref } = await demo.json<Fields>(...words`secret store`, ...args);
  return String(ref);
}

async function payloadOf(ref: string): Promise<string> {
  return (await demo.text(...words`secret get --payload -f value -c Payload ${ref}`)).trim();
}

describe('the openstack client and secrets', () => {
  it(
    'stores, shows, lists, fills, opens and deletes them',
    async () => {
      const options = words`--name phrase --secret-type passphrase --expiration 2099-12-31T23:59:59`;
      const ref = await store(...options, ...TEXT, '--payload', 'open sesame');
      expect(ref.startsWith(`${url}/secrets/`)).toBe(true);
      expect(await demo.json<Fields>(...words`secret get ${ref}`)).toMatchObject({
        'Secret href': ref,
        Name: 'phrase',
        Status: 'ACTIVE',
        'Secret type': 'passphrase',
        'Content types': { default: 'text/plain' },
        Expiration: expect.stringMatching(/^2099-12-31T23:59:59/),
      });
      expect(await payloadOf(ref)).toBe('open sesame');

      const later = await store(...words`--name later --secret-type symmetric`);
      await demo.text(...words`secret update ${later} sooner`);
      expect(await payloadOf(later)).toBe('sooner');
      const again = await demo.refusal(...words`secret update ${later} again`);
      expect(again).toContain('Conflict: Secret');
      expect(again).toContain('has a payload already, which cannot be changed.');

      const [file, copy] = [join(folder, 'key.der'), join(folder, 'copy.der')];
      const bytes = Buffer.from([0x30, 0, 0xff, 0x0a, 0x80]);
      await writeFile(file, bytes);
      const key = await store(...words`--name key --secret-type private --file ${file}`);
      const type = '--payload_content_type=application/octet-stream';
      await demo.text(...words`secret get ${type} --file ${copy} ${key}`);
      expect(await readFile(copy)).toEqual(bytes);

      const names = async (...filter: string[]): Promise<unknown[]> =>
        (await demo.json<Fields[]>(...words`secret list`, ...filter)).map(({ Name }) => Name);
      expect(await names()).toEqual(['phrase', 'later', 'key']);
      expect(await names(...words`--secret-type symmetric`)).toEqual(['later']);
      expect(await names(...words`--limit 1 --offset 1`)).toEqual(['later']);
      for (const one of [ref, later, key]) await demo.text(...words`secret delete ${one}`);
      expect(await names()).toEqual([]);
      const gone = await demo.refusal(...words`secret get ${ref}`);
      expect(gone).toMatch(/Not Found: Secret not found\. There is no secret [0-9a-f-]{36}\./);
    },
    10 * MINUTES,
  );

  it(
    'registers consumers, without which they are deleted',
    async () => {
      const ref = await store(...words`--name used --payload used`);
      const consumer = words`--service-type-name load-balancer --resource-type listener --resource-id l1`;
      await demo.text(...words`secret consumer create`, ...consumer, ref);
      const rows = await demo.json<Fields[]>(...words`secret consumer list ${ref}`);
      expect(rows).toMatchObject([
        { Service: 'load-balancer', 'Resource type': 'listener', 'Resource id': 'l1' },
      ]);
      const refused = await demo.refusal(...words`secret delete ${ref}`);
      expect(refused).toMatch(/Bad Request: Secret [0-9a-f-]{36} has consumers; remove them first/);
      await demo.text(...words`secret consumer delete`, ...consumer, ref);
      await demo.text(...words`secret delete ${ref}`);
    },
    10 * MINUTES,
  );

  it(
    'makes containers of them, of each type',
    async () => {
      const [one, two] = [await store('--payload', 'one'), await store('--payload', 'two')];
      const create = (...args: string[]): Promise<Fields> =>
        demo.json<Fields>(...words`secret container create`, ...args);
      const pair = await create(
        ...words`--name pair --type certificate`,
        ...words`--secret certificate=${one} --secret private_key=${two}`,
      );
      const ref = String(pair['Container href']);
      // The client cannot write the times of containers as JSON.
      const shown = await demo.text(...words`secret container get ${ref} --max-width 0`);
      for (const part of [ref, 'pair', 'certificate', 'ACTIVE', one, two])
        expect(shown).toContain(part);
      await create(
        ...words`--name rsa --type rsa --secret public_key=${one}`,
        '--secret',
        `private_key=${two}`,
      );
      await create(...words`--name any --secret anything=${one}`);
      const rows = await demo.json<Fields[]>(...words`secret container list -c Name -c Type`);
      expect(rows.map(({ Name, Type }) => [Name, Type])).toEqual([
        ['pair', 'certificate'],
        ['rsa', 'rsa'],
        ['any', 'generic'],
      ]);
      await demo.text(...words`secret container delete ${ref}`);
      const gone = await demo.refusal(...words`secret container get ${ref}`);
      expect(gone).toMatch(
        /Not Found: Secrets container not found\. There is no container [0-9a-f-]{36}\./,
      );
    },
    10 * MINUTES,
  );

  it(
    'says who else may read them',
    async () => {
      const ref = await store(...words`--name shared --payload shared`, ...TEXT);
      const { user_id: id } = await admin.json<Fields>('token', 'issue');
      const open = words`secret get --payload -f value -c Payload ${ref}`;
      expect(await admin.refusal(...open)).toContain('Forbidden: The caller is not allowed');
      await demo.text(...words`acl submit --user ${String(id)} --no-project-access ${ref}`);
      expect((await admin.text(...open)).trim()).toBe('shared');
      expect(await demo.json<Fields[]>(...words`acl get ${ref}`)).toMatchObject([
        { 'Operation Type': 'read', 'Project Access': false, Users: [id] },
      ]);
      await demo.text(...words`acl user add --user other ${ref}`);
      await demo.text(...words`acl user remove --user ${String(id)} ${ref}`);
      expect(await demo.json<Fields[]>(...words`acl get ${ref}`)).toMatchObject([
        { Users: ['other'] },
      ]);
      await demo.text(...words`acl delete ${ref}`);
      expect(await demo.json<Fields[]>(...words`acl get ${ref}`)).toMatchObject([
        { 'Project Access': true },
      ]);
    },
    10 * MINUTES,
  );
});
