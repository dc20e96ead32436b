/** Images made by qemu-img: intact ones of the declared format are accepted. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inspectImage, type ImageFacts } from '@cumulet/storage/disk-formats/inspect-image';
import { ImageInspector, ImageSample } from './image-inspector.js';
import type { Verdict } from './judge-image.js';

const run = promisify(execFile);

/** A multiple of every format's sector size; some formats round up. */
const DISK_BYTES = 5 * 1024 ** 2;

const SECRET = ['--object', 'secret,id=key,data=passphrase'];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cumulet-inspection-'));
  await writeFile(at('source.raw'), randomBytes(DISK_BYTES));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function at(name: string): string {
  return join(folder, name);
}

/** qemu-img benchmarks the processor before encrypting, and fails on a busy one. */
const UNMEASURED = /Unable to get accurate CPU usage/;

/** @param options as `-o` takes them */
async function create(name: string, format: string, options = ''): Promise<void> {
  const chosen = options === '' ? [] : ['-o', options];
  const secret = options.includes('key-secret') ? SECRET : [];
  const size = options.includes('backing_file') ? [] : [`${DISK_BYTES}`];
  const args = ['create', '-q', ...secret, '-f', format, ...chosen, at(name), ...size];
  for (let tries = 5; ; tries -= 1) {
    try {
      await run('qemu-img', args);
      return;
    } catch (error) {
      if (tries === 1 || !UNMEASURED.test(String(error))) throw error;
      await rm(at(name), { force: true });
    }
  }
}

/** An image with data in it. */
async function convert(name: string, format: string, options = ''): Promise<void> {
  const chosen = options === '' ? [] : ['-o', options];
  const from = ['-f', 'raw', '-O', format, ...chosen, at('source.raw')];
  await run('qemu-img', ['convert', ...from, at(name)]);
}

interface QemuInfo {
  readonly format: string;
  readonly 'virtual-size': number;
}

/** @param format if qemu-img cannot detect it */
async function infoOn(name: string, format?: string): Promise<QemuInfo> {
  const chosen = format === undefined ? [] : ['-f', format];
  const { stdout } = await run('qemu-img', ['info', '--output=json', ...chosen, at(name)]);
  return JSON.parse(stdout) as QemuInfo;
}

async function pass(name: string, see: (chunk: Buffer) => void): Promise<void> {
  for await (const chunk of createReadStream(at(name))) see(chunk as Buffer);
}

async function inspect(name: string): Promise<ImageFacts> {
  const sample = new ImageSample();
  await pass(name, (chunk) => sample.take(chunk));
  return inspectImage(sample);
}

async function verdictOn(name: string, diskFormat: string): Promise<Verdict> {
  const inspector = new ImageInspector({ diskFormat, containerFormat: 'bare' });
  await pass(name, (chunk) => inspector.observe(chunk));
  return inspector.verdict();
}

/** qemu-img's names that differ from the service's. */
const QEMU_NAMES: Readonly<Record<string, string>> = { vhd: 'vpc', ploop: 'parallels' };

const WHOLE: readonly [string, string, string][] = [
  ['qcow2', 'qcow2', 'compat=0.10'],
  ['qcow2', 'qcow2', 'compat=1.1'],
  ['qcow2', 'qcow2', 'compression_type=zstd,lazy_refcounts=on,extended_l2=on'],
  ['qcow2', 'qcow2', 'cluster_size=512'],
  ['vmdk', 'vmdk', 'subformat=monolithicSparse'],
  ['vmdk', 'vmdk', 'subformat=streamOptimized'],
  ['vmdk', 'vmdk', 'subformat=monolithicSparse,compat6=on,adapter_type=lsilogic'],
  ['vdi', 'vdi', ''],
  ['vdi', 'vdi', 'static=on'],
  ['vhdx', 'vhdx', ''],
  ['vhdx', 'vhdx', 'subformat=fixed'],
  ['vhd', 'vpc', 'subformat=dynamic'],
  ['vhd', 'vpc', 'subformat=dynamic,force_size=on'],
  ['ploop', 'parallels', ''],
];

describe('an image made by qemu-img', () => {
  it.each(WHOLE)(
    'is accepted as %s, with the size that qemu-img reports: %s %s',
    async (...made) => {
      const [diskFormat, format, options] = made;
      for (const make of [create, convert]) {
        await make('image', format, options);
        const info = await infoOn('image');
        expect(info.format).toBe(QEMU_NAMES[diskFormat] ?? diskFormat);
        expect(await verdictOn('image', diskFormat)).toEqual({
          isAccepted: true,
          virtualSize: info['virtual-size'],
        });
        expect(await verdictOn('image', 'raw')).toMatchObject({ isAccepted: false });
      }
    },
  );

  it('is accepted as vhd by its footer alone', async () => {
    await convert('fixed.vhd', 'vpc', 'subformat=fixed');
    expect((await infoOn('fixed.vhd')).format).toBe('raw');
    const info = await infoOn('fixed.vhd', 'vpc');
    expect(await verdictOn('fixed.vhd', 'vhd')).toEqual({
      isAccepted: true,
      virtualSize: info['virtual-size'],
    });
  });

  it('is taken as raw', async () => {
    const { size } = await stat(at('source.raw'));
    expect(await verdictOn('source.raw', 'raw')).toEqual({ isAccepted: true, virtualSize: size });
  });

  it('is accepted as raw if fully encrypted', async () => {
    await create('disk.luks', 'luks', 'key-secret=key,iter-time=100');
    const info = await infoOn('disk.luks');
    const { size } = await stat(at('disk.luks'));
    expect(await inspect('disk.luks')).toMatchObject({
      format: 'luks',
      virtualSize: info['virtual-size'],
    });
    expect(await verdictOn('disk.luks', 'raw')).toEqual({ isAccepted: true, virtualSize: size });
  });

  it.each([
    ['data_file=outside.raw', /external file/],
    ['encrypt.format=luks,encrypt.key-secret=key,encrypt.iter-time=100', /encrypted/],
    ['backing_file=source.raw,backing_fmt=raw', /backing file/],
  ])('is refused as qcow2 with %s', async (options, reason) => {
    await create('unsafe.qcow2', 'qcow2', options.replace('outside.raw', at('outside.raw')));
    expect((await infoOn('unsafe.qcow2')).format).toBe('qcow2');
    expect(await verdictOn('unsafe.qcow2', 'qcow2')).toEqual({
      isAccepted: false,
      reason: expect.stringMatching(reason),
    });
  });

  it.each(['monolithicFlat', 'twoGbMaxExtentSparse', 'twoGbMaxExtentFlat'])(
    'is refused as a vmdk that names other files: %s',
    async (subformat) => {
      await create(`${subformat}.vmdk`, 'vmdk', `subformat=${subformat}`);
      expect((await infoOn(`${subformat}.vmdk`)).format).toBe('vmdk');
      expect(await verdictOn(`${subformat}.vmdk`, 'vmdk')).toEqual({
        isAccepted: false,
        reason: expect.stringMatching(/data is in other files/),
      });
    },
  );

  it('is refused as an extent of a vmdk', async () => {
    await create('parts.vmdk', 'vmdk', 'subformat=twoGbMaxExtentSparse');
    expect(await verdictOn('parts-s001.vmdk', 'vmdk')).toEqual({
      isAccepted: false,
      reason: expect.stringMatching(/no descriptor where one belongs/),
    });
  });

  it('is refused as a vmdk with a parent', async () => {
    await create('base.vmdk', 'vmdk');
    await create('over.vmdk', 'vmdk', `backing_file=base.vmdk,backing_fmt=vmdk`);
    expect(await verdictOn('over.vmdk', 'vmdk')).toEqual({
      isAccepted: false,
      reason: expect.stringMatching(/needs its parent/),
    });
  });

  it.each(['qed', 'qcow'])('is refused in the old format %s', async (format) => {
    await create('old', format);
    expect((await infoOn('old')).format).toBe(format);
    for (const diskFormat of ['raw', 'qcow2', 'vmdk']) {
      expect(await verdictOn('old', diskFormat)).toMatchObject({ isAccepted: false });
    }
  });
});
