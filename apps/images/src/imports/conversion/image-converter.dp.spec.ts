/** Conversions with the real qemu-img. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ImageConverter } from './image-converter.js';

const MIB = 1024 ** 2;
type Options = ConstructorParameters<typeof ImageConverter>[0];

const OPTIONS: Options = {
  searchPath: '/usr/bin:/bin',
  convertSeconds: 60,
  imageSizeLimit: 64 * MIB,
};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'converter-'));
});
afterAll(() => rm(folder, { recursive: true }));

const { signal } = new AbortController();
const path = (name: string): string => join(folder, name);

async function qemuImg(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('qemu-img', args, { cwd: folder });
  return stdout;
}

/** A disk with data in its middle. */
async function aDisk(name: string, bytes = 4 * MIB): Promise<Buffer> {
  const disk = Buffer.alloc(bytes);
  randomBytes(MIB).copy(disk, bytes / 2);
  await writeFile(path(name), disk);
  return disk;
}

const convert = (
  from: { name: string; format: 'raw' | 'qcow2' },
  to: { name: string; format: 'raw' | 'qcow2' },
  options: Partial<Options> = {},
): Promise<void> =>
  new ImageConverter({ ...OPTIONS, ...options }).convert(
    {
      from: { path: path(from.name), format: from.format },
      to: { path: path(to.name), format: to.format },
    },
    signal,
  );

describe('a conversion', () => {
  it('to qcow2 and back gives the same disk', async () => {
    const disk = await aDisk('disk');
    await convert({ name: 'disk', format: 'raw' }, { name: 'there', format: 'qcow2' });
    expect((await readFile(path('there'))).subarray(0, 4).toString('latin1')).toBe('QFI\xfb');
    expect((await stat(path('there'))).size).toBeLessThan(2 * MIB);
    await convert({ name: 'there', format: 'qcow2' }, { name: 'back', format: 'raw' });
    expect((await readFile(path('back'))).equals(disk)).toBe(true);
  });

  it('treats a raw disk as raw, whatever it contains', async () => {
    await writeFile(path('secret'), 'secret'.padEnd(65_536));
    await qemuImg('create', '-q', '-f', 'qcow2', '-b', 'secret', '-F', 'raw', 'disguised');
    await convert({ name: 'disguised', format: 'raw' }, { name: 'taken', format: 'qcow2' });
    await convert({ name: 'taken', format: 'qcow2' }, { name: 'retaken', format: 'raw' });
    const disguised = await readFile(path('disguised'));
    const retaken = await readFile(path('retaken'));
    expect(retaken.subarray(0, disguised.length).equals(disguised)).toBe(true);
    expect(retaken.includes('secret'.padEnd(512))).toBe(false);
  });

  it('opens no backing file', async () => {
    await writeFile(path('below'), 'secret'.padEnd(65_536));
    await qemuImg('create', '-q', '-f', 'qcow2', '-b', 'below', '-F', 'raw', 'layer');
    await convert({ name: 'layer', format: 'qcow2' }, { name: 'layer-out', format: 'raw' });
    expect((await readFile(path('layer-out'))).includes('secret')).toBe(false);
  });
});

describe('a conversion fails', () => {
  it('when its output grows too large', async () => {
    await qemuImg('create', '-q', '-f', 'qcow2', 'vast', '1T');
    await expect(
      convert({ name: 'vast', format: 'qcow2' }, { name: 'vast-out', format: 'raw' }),
    ).rejects.toThrow(
      'The image could not be converted from qcow2 to raw: it would have more than 67108864 bytes.',
    );
  });

  it('when the image is damaged, without details of this machine', async () => {
    await writeFile(path('damaged'), Buffer.alloc(65_536, 'x'));
    const failure = convert({ name: 'damaged', format: 'qcow2' }, { name: 'no', format: 'raw' });
    await expect(failure).rejects.toThrow(
      /^The image could not be converted from qcow2 to raw: it is damaged\.$/,
    );
  });

  it('when it takes too long', async () => {
    const programs = await mkdtemp(join(folder, 'slow-'));
    await writeFile(join(programs, 'qemu-img'), '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 });
    await aDisk('any');
    await expect(
      convert(
        { name: 'any', format: 'raw' },
        { name: 'late', format: 'qcow2' },
        { searchPath: programs, convertSeconds: 1 },
      ),
    ).rejects.toThrow('it took longer than 1 seconds');
  });

  it('when it is aborted', async () => {
    const programs = await mkdtemp(join(folder, 'slow-'));
    await writeFile(join(programs, 'qemu-img'), '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 });
    const unwanted = new AbortController();
    const converter = new ImageConverter({ ...OPTIONS, searchPath: programs });
    const file = { path: path('unwanted'), format: 'raw' } as const;
    const running = converter.convert({ from: file, to: file }, unwanted.signal);
    unwanted.abort(new Error('the image was deleted'));
    await expect(running).rejects.toThrow('the image was deleted');
  });

  it('when qemu-img is not installed', async () => {
    const converter = new ImageConverter({ ...OPTIONS, searchPath: folder });
    await expect(converter.check()).rejects.toThrow('qemu-img is not installed');
  });
});
