/** Imports that convert, with the real qemu-img. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { reconcilerSuite } from '@cumulet/testing/reconciler-suite';
import type { ImagesConfig } from '../config.js';
import type { Image } from '../images/image.entity.js';
import type { ImageEvent, ImageState } from '../images/image.states.js';
import { ImportWorld } from './import-world.fixture.js';

const MIB = 1024 ** 2;
const DISK = Buffer.concat([Buffer.alloc(MIB), randomBytes(MIB), Buffer.alloc(2 * MIB)]);

let folder: string;
/** The disk as qcow2. */
let qcow2: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conversion-'));
  const [raw, layered] = [join(folder, 'raw'), join(folder, 'qcow2')];
  await writeFile(raw, DISK);
  await promisify(execFile)('qemu-img', ['convert', '-f', 'raw', '-O', 'qcow2', raw, layered]);
  qcow2 = await readFile(layered);
});
afterAll(() => rm(folder, { recursive: true }));

function withWorld(changes: Partial<ImagesConfig>): () => ImportWorld {
  let world: ImportWorld | undefined;
  const started = (): ImportWorld => {
    if (!world) throw new Error('not started');
    return world;
  };
  beforeAll(async () => {
    world = await ImportWorld.start({ searchPath: '/usr/bin:/bin', ...changes });
  });
  afterEach(() => started().clear());
  afterAll(() => started().stop());
  return started;
}

describe('to raw', () => {
  const world = withWorld({ importConvertTo: 'raw' });

  it('a qcow2 image becomes its disk', async () => {
    const { id } = await world().importing(qcow2, { diskFormat: 'qcow2' });
    expect(await world().run(id)).toBe('done');
    const image = await world().row(id);
    expect(image).toMatchObject({ state: 'active', diskFormat: 'raw', virtualSize: DISK.length });
    expect((await world().read(image.dataId)).equals(DISK)).toBe(true);
    expect([...world().store.ids]).toEqual([image.dataId]);
    expect(await world().files.list()).toEqual([]);
  });

  it.each([
    ['a raw image', { diskFormat: 'raw' }],
    ['what is in a container', { diskFormat: 'qcow2', containerFormat: 'ova' }],
  ])('%s stays as it is', async (_, fields) => {
    const data = fields.diskFormat === 'raw' ? DISK : qcow2;
    const { id } = await world().importing(data, fields);
    expect(await world().run(id)).toBe('done');
    const image = await world().row(id);
    expect(image).toMatchObject(fields);
    expect((await world().read(image.dataId)).equals(data)).toBe(true);
  });

  it('an image that names other files is refused before it is opened', async () => {
    const layered = Buffer.from(qcow2);
    layered.writeBigUInt64BE(65_536n, 8);
    layered.writeUInt32BE(11, 16);
    const { id } = await world().importing(layered, { diskFormat: 'qcow2' });
    expect(await world().run(id)).toBe('failed');
    expect(await world().row(id)).toMatchObject({ state: 'queued', diskFormat: 'qcow2' });
    expect(await world().files.list()).toEqual([]);
  });

  it('a damaged image is refused, and stays unchanged', async () => {
    const damaged = Buffer.concat([qcow2.subarray(0, 65_536), Buffer.alloc(qcow2.length, 'x')]);
    const { id } = await world().importing(damaged, { diskFormat: 'qcow2' });
    expect(await world().run(id)).toBe('failed');
    const image = await world().row(id);
    expect(image).toMatchObject({ state: 'queued', diskFormat: 'qcow2', dataId: null });
    expect(image.stateReason).toContain('could not be converted from qcow2 to raw');
    expect([...world().store.ids]).toEqual([]);
    expect(await world().files.list()).toEqual([]);
  });
});

describe('to raw, within limits', () => {
  const world = withWorld({ importConvertTo: 'raw', imageSizeLimit: 2 * MIB });

  it('an image with a larger disk is refused', async () => {
    const { id } = await world().importing(qcow2, { diskFormat: 'qcow2' });
    expect(await world().run(id)).toBe('failed');
    expect((await world().row(id)).stateReason).toBe(
      'The data of an image may have at most 2097152 bytes.',
    );
  });
});

describe('to raw, within a quota', () => {
  const world = withWorld({ importConvertTo: 'raw', imageBytesQuota: 2 * MIB });

  it('an image that outgrows it is refused', async () => {
    const { id } = await world().importing(qcow2, { diskFormat: 'qcow2' });
    expect(await world().run(id)).toBe('failed');
    expect((await world().row(id)).stateReason).toContain('Quota exceeded for image_size_total');
    expect([...world().store.ids]).toEqual([]);
  });
});

describe('to qcow2', () => {
  const world = withWorld({ importConvertTo: 'qcow2' });

  it('a raw image keeps its disk', async () => {
    const { id } = await world().importing(DISK, { diskFormat: 'raw' });
    expect(await world().run(id)).toBe('done');
    const image = await world().row(id);
    expect(image).toMatchObject({ state: 'active', diskFormat: 'qcow2', virtualSize: DISK.length });
    const [there, back] = [join(folder, 'there'), join(folder, 'back')];
    await writeFile(there, await world().read(image.dataId));
    await promisify(execFile)('qemu-img', ['convert', '-f', 'qcow2', '-O', 'raw', there, back]);
    expect((await readFile(back)).equals(DISK)).toBe(true);
  });

  reconcilerSuite<Image, ImageState, ImageEvent>({
    state: 'importing',
    phases: ['ensureDownloaded', 'ensureInspected', 'ensureConverted', 'storeData'],
    reconciler: () => world().reconciler,
    ctx: (): RequestContext => world().ctx,
    arrange: async () => (await world().importing(DISK, { diskFormat: 'raw' })).id,
    world: () => [...world().store.ids],
    expectDone: async (id) => {
      const image = await world().row(id);
      expect(image).toMatchObject({ state: 'active', diskFormat: 'qcow2', stagedDataId: null });
      expect([...world().store.ids]).toEqual([image.dataId]);
      expect(await world().files.list()).toEqual([]);
    },
    expectFailed: async (id) => {
      expect(await world().row(id)).toMatchObject({ state: 'queued', diskFormat: 'raw' });
      expect([...world().store.ids]).toEqual([]);
      expect(await world().files.list()).toEqual([]);
    },
  });
});
