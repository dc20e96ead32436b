import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { newDataId } from '@cumulet/storage/stores/byte-store';
import type { ImagesConfig } from '../../config.js';
import type { ImageId } from '../../images/image.entity.js';
import type { ImageWorkRepository } from '../../images/image-work.repository.js';
import { ImportFolderUnsafeError } from '../import.errors.js';
import { ConversionFiles } from './conversion-files.js';
import { ImportConversion } from './import-conversion.js';

let root: string;
let files: ConversionFiles;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'conversions-'));
  files = new ConversionFiles(root);
});
afterEach(() => rm(root, { recursive: true }));

const anImage = (): ImageId => asId<ImageId>(randomUUID());

async function converted(imageId: ImageId): Promise<ReturnType<typeof newDataId>> {
  const staged = newDataId();
  const { source, target } = await files.begin(imageId);
  await writeFile(source, 'before');
  await writeFile(target, 'after');
  await files.finish(imageId, staged, 'raw');
  return staged;
}

describe('conversion files', () => {
  it('hold complete results, for their source data only', async () => {
    await files.start();
    const image = anImage();
    const staged = await converted(image);
    expect(await files.find(image, staged, 'raw')).toMatch(/\.raw$/);
    expect(await files.find(image, staged, 'qcow2')).toBeUndefined();
    expect(await files.find(image, newDataId(), 'raw')).toBeUndefined();
  });

  it('hold nothing of an unfinished conversion once it restarts', async () => {
    await files.start();
    const image = anImage();
    const { source } = await files.begin(image);
    await writeFile(source, 'before');
    const again = await files.begin(image);
    await writeFile(again.source, 'before', { flag: 'wx' });
  });

  it('are removed with their process', async () => {
    await files.start();
    await converted(anImage());
    await files.onModuleDestroy();
    expect(await readdir(root)).toEqual([]);
  });

  it('of dead processes are removed by the next one, and no others', async () => {
    const dead = execFileSync('/bin/sh', ['-c', 'echo $$']).toString().trim();
    const [left, ours, living, foreign] = [
      `${dead}-${randomUUID()}`,
      `${process.pid}-${randomUUID()}`,
      `${process.ppid}-${randomUUID()}`,
      'somebody-elses',
    ];
    for (const name of [left, ours, living, foreign])
      await mkdir(join(root, name, 'image'), { recursive: true });
    await files.start();
    const found = await readdir(root);
    expect(found).toEqual(expect.arrayContaining([living, foreign]));
    expect(found).not.toContain(left);
    expect(found).not.toContain(ours);
    expect(found).toHaveLength(3);
  });

  it('refuse a folder that others may write to, unless it is sticky', async () => {
    await chmod(root, 0o777);
    await expect(files.start()).rejects.toThrow(ImportFolderUnsafeError);
    await chmod(root, 0o1777);
    await expect(files.start()).resolves.toBeUndefined();
  });

  it('refuse a symbolic link', async () => {
    await symlink(root, `${root}-link`);
    await expect(new ConversionFiles(`${root}-link`).start()).rejects.toThrow(
      ImportFolderUnsafeError,
    );
    await rm(`${root}-link`);
  });

  it('are swept once their image no longer imports', async () => {
    await files.start();
    const [importing, deleted, active] = [anImage(), anImage(), anImage()];
    for (const image of [importing, deleted, active]) await converted(image);
    const states = new Map([
      [importing, 'importing'],
      [active, 'active'],
    ]);
    const images = {
      find: (_: RequestContext, id: ImageId) =>
        Promise.resolve(states.has(id) ? { state: states.get(id) } : undefined),
    } as unknown as ImageWorkRepository;
    const ctx = RequestContext.system('req-test', undefined as never);
    const config = { importConvertTo: 'raw' } as ImagesConfig;
    const none = undefined as never;
    await new ImportConversion(none, files, none, images, config).removeForgotten(ctx);
    expect(await files.list()).toEqual([importing]);
  });
});
