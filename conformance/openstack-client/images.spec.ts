/** Images with the openstack client: their metadata and their data. */
import { createHash } from 'node:crypto';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { OpenStackClient } from '../support/openstack-client.js';
import { outputOf } from '../support/run-program.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;
const MIB = 1024 * 1024;

type Fields = Readonly<Record<string, unknown>>;

let admin: OpenStackClient;
let demo: OpenStackClient;
let folder: string;
let project: string;
let qcow2: string;
let raw: string;

const digest = async (algorithm: string, file: string): Promise<string> =>
  createHash(algorithm)
    .update(await readFile(file))
    .digest('hex');

const show = (image: string): Promise<Fields> => demo.json<Fields>('image', 'show', image);

/** The names of the images that `openstack image list` shows with these arguments. */
async function listed(args: readonly string[], client = demo): Promise<unknown[]> {
  const rows = await client.json<Fields[]>('image', 'list', ...args);
  return rows.map(({ Name }) => Name);
}

withProject(async (own) => {
  ({ admin, demo, folder, project } = own);
  [raw, qcow2] = [join(folder, 'disk.raw'), join(folder, 'disk.qcow2')];
  await writeFile(raw, Buffer.alloc(3 * MIB, 'data'));
  await truncate(raw, 8 * MIB);
  await outputOf('qemu-img', ['convert', '-f', 'raw', '-O', 'qcow2', raw, qcow2]);
});

describe('the openstack client registers an image', () => {
  it(
    'of a file, with all that it says of it',
    async () => {
      const created = await demo.json<Fields>(
        ...words`image create --file ${qcow2} --disk-format qcow2 --min-disk 1 --min-ram 64`,
        ...words`--private --protected --tag red --tag big`,
        ...words`--property hw_disk_bus=virtio --property os_distro=debian real`,
      );
      const expected = {
        id: created['id'],
        status: 'active',
        visibility: 'private',
        protected: true,
        disk_format: 'qcow2',
        container_format: 'bare',
        min_disk: 1,
        min_ram: 64,
        size: (await readFile(qcow2)).length,
        virtual_size: 8 * MIB,
        checksum: await digest('md5', qcow2),
        tags: expect.arrayContaining(['red', 'big']),
        properties: expect.objectContaining({
          hw_disk_bus: 'virtio',
          os_distro: 'debian',
          os_hash_algo: 'sha512',
          os_hash_value: await digest('sha512', qcow2),
        }),
      };
      expect(created).toMatchObject(expected);
      expect(await show('real')).toMatchObject(expected);
    },
    10 * MINUTES,
  );

  it(
    'of what comes on its standard input',
    async () => {
      const created = await demo
        .reading(raw)
        .json<Fields>(...words`image create --disk-format raw piped`);
      expect(created).toMatchObject({
        status: 'active',
        size: 8 * MIB,
        checksum: await digest('md5', raw),
      });
    },
    10 * MINUTES,
  );

  it(
    'without data, with the id that it gives it',
    async () => {
      const id = '6f1d2a0c-6f0b-4f0e-9d43-0a2f3b1c4d5e';
      const created = await demo.json<Fields>(...words`image create --id ${id} empty`);
      expect(created).toMatchObject({ id, status: 'queued', visibility: 'shared' });
      expect(await demo.refusal(...words`image create --id ${id} again`)).toMatch(
        new RegExp(`409: .*An image with ID ${id} exists already`),
      );
    },
    10 * MINUTES,
  );

  it(
    'for everybody, if it is an administrator',
    async () => {
      expect(await demo.refusal(...words`image create --public mine`)).toMatch(
        /403: .*'public'\) needs the role admin/,
      );
      await admin.json<Fields>(...words`image create --public ours`);
      expect(await listed(words`--public --name ours`)).toEqual(['ours']);
    },
    10 * MINUTES,
  );

  it(
    'whose data is not what it says, and hears what it is',
    async () => {
      expect(
        await demo.refusal(...words`image create --file ${raw} --disk-format qcow2 liar`),
      ).toMatch(/415: .*The data is raw, but disk_format is qcow2/);
      expect(await listed(words`--name liar`)).toEqual([]);
    },
    10 * MINUTES,
  );
});

describe('the openstack client changes', () => {
  it(
    'what an image is called, who sees it, its properties and tags',
    async () => {
      await demo.text(...words`image create --property gone=soon --tag old draft`);
      await demo.text(
        ...words`image set --name final --community --protected --hidden --min-disk 2 --min-ram 128`,
        ...words`--disk-format qcow2 --container-format ova --tag new --property kept=yes`,
        ...words`--architecture aarch64 --os-version 12 draft`,
      );
      await demo.text(...words`image unset --tag old --property gone final`);
      const image = await show('final');
      expect(image).toMatchObject({
        visibility: 'community',
        protected: true,
        min_disk: 2,
        min_ram: 128,
        disk_format: 'qcow2',
        container_format: 'ova',
        tags: ['new'],
        properties: { kept: 'yes', architecture: 'aarch64', os_version: '12', os_hidden: true },
      });
      expect(image['properties']).not.toHaveProperty('gone');
    },
    10 * MINUTES,
  );

  it(
    'nothing that only the service says',
    async () => {
      expect(await demo.refusal(...words`image set --property os_glance_x=1 final`)).toMatch(
        /403: .*'os_glance_x' is reserved/,
      );
      expect(await demo.refusal(...words`image set --disk-format raw piped`)).toContain('403: ');
      expect(await demo.refusal(...words`image unset --tag nosuch final`)).toContain('nonexistent');
    },
    10 * MINUTES,
  );

  it(
    'the owner of an image, if it is an administrator',
    async () => {
      await demo.text(...words`image create given`);
      expect(await demo.refusal(...words`image set --project ${project} given`)).toContain('403: ');
      await admin.text(...words`image set --project ${project}-admin given`);
      expect(await listed(words`--name given`)).toEqual([]);
      expect(await listed(words`--project ${project}-admin --name given`, admin)).toEqual([
        'given',
      ]);
    },
    10 * MINUTES,
  );
});

describe('the openstack client saves and deletes', () => {
  it(
    'the bytes that were uploaded, and none of an image that has no data',
    async () => {
      const saved = join(folder, 'saved');
      await demo.text(...words`image save --store-preference file --file ${saved} real`);
      expect(await digest('sha512', saved)).toBe(await digest('sha512', qcow2));
      await demo.text(...words`image save --file ${saved} empty`);
      expect(await readFile(saved)).toHaveLength(0);
    },
    10 * MINUTES,
  );

  it(
    'an image only while it is active, unless it is an administrator',
    async () => {
      const saved = join(folder, 'closed');
      await demo.text(...words`image set --deactivate real`);
      expect(await show('real')).toMatchObject({ status: 'deactivated' });
      expect(await demo.refusal(...words`image save --file ${saved} real`)).toContain(
        'Unable to download image',
      );
      expect(await readFile(saved, 'utf8')).toContain('is deactivated');
      const { id } = await show('real');
      await admin.text(...words`image save --file ${saved} ${String(id)}`);
      expect(await digest('sha512', saved)).toBe(await digest('sha512', qcow2));
      await demo.text(...words`image set --activate real`);
      expect(await show('real')).toMatchObject({ status: 'active' });
    },
    10 * MINUTES,
  );

  it(
    'an image that is not protected',
    async () => {
      expect(await demo.refusal(...words`image delete real`)).toMatch(/403: .*is protected/);
      await demo.text(...words`image set --unprotected real`);
      await demo.text(...words`image delete real empty`);
      expect(await listed(words`--name real`)).toEqual([]);
      expect(await demo.refusal(...words`image show real`)).toContain('No Image found for real');
    },
    10 * MINUTES,
  );

  it(
    'no copy of data that is the only one',
    async () => {
      expect(await demo.refusal(...words`image delete --store file piped`)).toMatch(
        /403: .*The store 'file' is the only one/,
      );
      expect(await show('piped')).toMatchObject({ status: 'active' });
    },
    10 * MINUTES,
  );
});
