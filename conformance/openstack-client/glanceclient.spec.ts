/** Images with the glance client, which is older than the openstack client and covers more. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { GlanceClient } from '../support/glance-client.js';
import { outputOf } from '../support/run-program.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;
const MIB = 1024 * 1024;

/** A project that does not exist, and an image that does not. */
const NOBODY = '5dfb9bd8-0d8a-4c1d-9c0a-5c7a0e0a4a3a';
const QCOW2 = words`--disk-format qcow2 --container-format bare`;

let demo: GlanceClient;
let admin: GlanceClient;
let file: string;
let folder: string;
let bytes: Buffer;

/** @returns its id */
async function create(args: readonly string[]): Promise<string> {
  return (await demo.fields('image-create', ...QCOW2, ...args))['id'] ?? '';
}

async function becomes(id: string, status: string): Promise<void> {
  await eventually(`${id} ${status}`, 3 * MINUTES, async () => {
    const fields = await demo.fields('image-show', id);
    return fields['status'] === status || undefined;
  });
}

/** Whether it downloads the same bytes that the file holds. */
async function isSaved(id: string): Promise<boolean> {
  const saved = join(folder, 'saved');
  await demo.text('image-download', '--file', saved, id);
  return bytes.equals(await readFile(saved));
}

withProject(async (own) => {
  ({ folder } = own);
  demo = await GlanceClient.install(own.cloudsYaml, 'cumulet');
  admin = await demo.entry(own.cloudsYaml, 'cumulet-admin');
  const raw = join(folder, 'disk.raw');
  file = join(folder, 'disk.qcow2');
  await writeFile(raw, Buffer.alloc(MIB, 'data'));
  await outputOf('qemu-img', ['convert', '-f', 'raw', '-O', 'qcow2', raw, file]);
  bytes = await readFile(file);
});

describe('the glance client', () => {
  let id: string;

  it(
    'creates an image of a file, with the arguments that the schema names',
    async () => {
      const image = await demo.fields(
        'image-create',
        ...QCOW2,
        '--file',
        file,
        ...words`--name first --min-disk 1 --tags red blue --property hw_disk_bus=virtio`,
      );
      id = image['id'] ?? '';
      const expected = {
        name: 'first',
        status: 'active',
        size: String(bytes.length),
        virtual_size: String(MIB),
        min_disk: '1',
        hw_disk_bus: 'virtio',
        tags: '["red", "blue"]',
        stores: 'file',
      };
      expect(image).toMatchObject(expected);
      expect(await demo.fields('image-show', id)).toMatchObject(expected);
      expect(await isSaved(id)).toBe(true);
    },
    10 * MINUTES,
  );

  it(
    'changes it, its properties and its tags',
    async () => {
      const image = await demo.fields(
        ...words`image-update --name second --min-ram 64 --visibility community --hidden true`,
        ...words`--property os_distro=debian --remove-property hw_disk_bus ${id}`,
      );
      expect(image).toMatchObject({
        name: 'second',
        min_ram: '64',
        visibility: 'community',
        os_hidden: 'True',
        os_distro: 'debian',
      });
      expect(image).not.toHaveProperty('hw_disk_bus');
      await demo.text('image-tag-update', id, 'green');
      await demo.text('image-tag-delete', id, 'red');
      expect(await demo.fields('image-show', id)).toMatchObject({ tags: '["blue", "green"]' });
      expect(await demo.refusal('image-tag-delete', id, 'red')).toContain("has no tag 'red'");
    },
    10 * MINUTES,
  );

  it(
    'closes its data and opens it again',
    async () => {
      await demo.text('image-deactivate', id);
      expect(await demo.refusal('image-download', '--file', '/dev/null', id)).toContain(
        `Image ${id} is deactivated`,
      );
      await demo.text('image-reactivate', id);
      expect(await isSaved(id)).toBe(true);
    },
    10 * MINUTES,
  );

  it(
    'shares it',
    async () => {
      await demo.text('image-update', '--visibility', 'shared', id);
      const [added] = await demo.rows('member-create', id, NOBODY);
      const member = { 'Image ID': id, 'Member ID': NOBODY };
      expect(added).toEqual({ ...member, Status: 'pending' });
      expect(await demo.refusal('member-update', id, NOBODY, 'accepted')).toContain(
        `Only the project '${NOBODY}' itself may set its status`,
      );
      await admin.text('member-update', id, NOBODY, 'accepted');
      const listed = await demo.rows('member-list', '--image-id', id);
      expect(listed).toEqual([{ ...member, Status: 'accepted' }]);
      expect(await demo.fields('member-get', id, NOBODY)).toMatchObject({ status: 'accepted' });
      await demo.text('member-delete', id, NOBODY);
      expect(await demo.rows('member-list', '--image-id', id)).toEqual([]);
    },
    10 * MINUTES,
  );

  it(
    'deletes it',
    async () => {
      await demo.text('image-delete', id);
      expect(await demo.refusal('image-show', id)).toContain(`No image found with ID ${id}`);
    },
    10 * MINUTES,
  );
});

describe('the glance client brings data', () => {
  let id: string;

  beforeEach(async () => {
    id = await create([]);
  }, 5 * MINUTES);

  it(
    'by an upload, and once only',
    async () => {
      expect(await demo.refusal('image-download', '--file', '/dev/null', id)).toContain(
        'has no data',
      );
      await demo.text('image-upload', '--file', file, id);
      expect(await isSaved(id)).toBe(true);
      expect(await demo.refusal('image-upload', '--file', file, id)).toMatch(/state active/);
    },
    10 * MINUTES,
  );

  it(
    'by stage and import, whose task it shows',
    async () => {
      await demo.text('image-stage', '--file', file, id);
      await demo.text('image-import', '--import-method', 'glance-direct', id);
      await becomes(id, 'active');
      expect(await isSaved(id)).toBe(true);
      const [task] = await demo.rows('image-tasks', id);
      expect(task).toMatchObject({ Status: 'success' });
      const tasks = await admin.rows('task-list', '--type', 'api_image_import');
      const shown = await admin.fields('task-show', tasks[0]?.['ID'] ?? '');
      expect(shown).toMatchObject({ image_id: id, status: 'success' });
    },
    10 * MINUTES,
  );

  it(
    'by stage and import in one step',
    async () => {
      const args = ['image-create-via-import', ...QCOW2, '--file', file];
      const { id: made = '' } = await demo.fields(...args);
      await becomes(made, 'active');
      expect(await isSaved(made)).toBe(true);
    },
    10 * MINUTES,
  );
});

describe('the glance client imports from the web', () => {
  let id: string;

  const imported = (uri: string): string[] =>
    words`image-import --import-method web-download --uri ${uri} ${id}`;

  beforeAll(async () => {
    id = await create([]);
  }, 5 * MINUTES);

  it.each([
    ['http://127.0.0.1/', /Its host 127\.0\.0\.1 has no address/],
    ['http://[::ffff:10.0.0.1]/', /has no address that images may be downloaded from/],
    ['http://169.254.169.254/latest/meta-data', /Its host 169\.254\.169\.254 has no address/],
    ['http://192.0.2.1:22/', /Its port must be one of 80, 443; 22 is not/],
    ['ftp://192.0.2.1/', /Its scheme must be http or https/],
    ['http://user:word@192.0.2.1/', /must contain neither a user name nor a password/],
  ])(
    'not what is at %s',
    async (uri, reason) => {
      expect(await demo.refusal(...imported(uri))).toMatch(reason);
    },
    10 * MINUTES,
  );

  it(
    'not what a name leads to that is of the machine itself',
    async () => {
      await demo.text(...imported('http://localhost/'));
      const { os_glance_failed_import: failed, os_glance_status_reason: reason } = await eventually(
        'failure',
        3 * MINUTES,
        async () => {
          const fields = await demo.fields('image-show', id);
          return fields['status'] === 'queued' ? fields : undefined;
        },
      );
      expect(failed).toBe('file');
      expect(reason).toContain('localhost');
    },
    10 * MINUTES,
  );
});

describe('the glance client lists images', () => {
  const names = async (args: readonly string[]): Promise<unknown[]> =>
    (await demo.rows('image-list', '--tag', 'list', ...args)).map(({ Name }) => Name);

  beforeAll(async () => {
    await create(words`--tags list --name ant --property shelf=top`);
    await create(words`--tags list --name bee --visibility private --hidden true`);
    await create(words`--tags list two --name cat --visibility private`);
    await create(words`--tags list --name dog --file ${file}`);
  }, 5 * MINUTES);

  it.each([
    ['page by page', words`--page-size 2 --sort name`, ['dog', 'cat', 'ant']],
    ['up to a number', words`--page-size 2 --limit 1 --sort name:asc`, ['ant']],
    ['in an order', words`--sort-key status --sort-key name --sort-dir asc`, ['dog', 'ant', 'cat']],
    ['by property', words`--property-filter shelf=top`, ['ant']],
    ['by visibility', words`--visibility private`, ['cat']],
    ['by tags', words`--tag two`, ['cat']],
    ['that are hidden', words`--hidden true`, ['bee']],
    ['of an owner', words`--owner ${NOBODY}`, []],
  ])(
    '%s',
    async (_, args, expected) => {
      expect(await names(args)).toEqual(expected);
    },
    10 * MINUTES,
  );

  it(
    'by the hashes of their data',
    async () => {
      const [dog] = await demo.rows(...words`image-list --property-filter name=dog`);
      const shown = await demo.fields('image-show', dog?.['ID'] ?? '');
      const { checksum = '', os_hash_value: hash = '' } = shown;
      expect(await names(['--checksum', checksum])).toEqual(['dog']);
      expect(await names(['--hash', hash])).toEqual(['dog']);
    },
    10 * MINUTES,
  );
});

describe('the glance client shows', () => {
  it(
    'what the schema says of an image',
    async () => {
      expect(await demo.text('help', 'image-create')).toContain('--disk-format <DISK_FORMAT>');
      const attributes = await demo.rows('explain', 'image');
      expect(attributes.map(({ Attribute }) => Attribute)).toEqual(
        expect.arrayContaining(['id', 'os_hash_value', 'kernel_id']),
      );
    },
    10 * MINUTES,
  );

  it(
    'how data can be imported, where to, and what is left of the quotas',
    async () => {
      const { 'import-methods': methods } = await demo.fields('import-info');
      expect(methods).toMatch(/glance-.*direct.*web-.*download/);
      const { stores } = await demo.fields('stores-info');
      expect(stores).toBe('[{"id": "file", "default": "true"}]');
      expect(await demo.rows('usage')).toContainEqual(
        expect.objectContaining({ Quota: 'image_count_uploading', Limit: '100', Usage: '0' }),
      );
    },
    10 * MINUTES,
  );
});

describe('the glance client is told what is not offered', () => {
  it.each([
    [
      `add-location --url http://127.0.0.1/ ${NOBODY}`,
      /Locations: add a location .* is not supported/,
    ],
    ['cache-list', /does not support image caching/],
    ['task-create --type import --input {}', /Tasks: create a task .* is not supported/],
    [`stores-delete --store tape ${NOBODY}`, /There is no store 'tape'/],
  ])(
    '%s',
    async (command, answer) => {
      expect(await demo.refusal(...command.split(' '))).toMatch(answer);
    },
    10 * MINUTES,
  );
});
