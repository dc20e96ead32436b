/**
 * This process's conversion files, in a folder per image.
 *
 * Always holds: a file under its final name is complete. The sweep removes leftovers of failed
 * imports, and the next process those of a dead one.
 */
import type { DataId } from '@cumulet/storage/stores/byte-store';
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OnModuleDestroy } from '@nestjs/common';
import type { ImageId } from '../../images/image.entity.js';
import { ImportFolderUnsafeError } from '../import.errors.js';
import type { ConvertibleFormat } from './image-converter.js';

const FOLDER = { recursive: true, mode: 0o700 };

/** In a folder with the sticky bit, only owners may rename or remove entries. */
const STICKY = 0o1000;

const OWNED = /^(\d+)-[0-9a-f-]{36}$/;

export class ConversionFiles implements OnModuleDestroy {
  readonly #folder: string;

  /** @param root shared by all processes */
  constructor(private readonly root: string) {
    this.#folder = join(root, `${process.pid}-${randomUUID()}`);
  }

  /**
   * Call this first: removes files of dead processes.
   * @throws ImportFolderUnsafeError
   */
  async start(): Promise<void> {
    await mkdir(this.root, FOLDER);
    if (!(await isOurs(this.root))) throw new ImportFolderUnsafeError(this.root);
    for (const name of await readdir(this.root)) {
      const owner = OWNED.exec(name)?.[1];
      if (owner === undefined || isAnother(Number(owner))) continue;
      await rm(join(this.root, name), { recursive: true, force: true });
    }
    await mkdir(this.#folder, FOLDER);
  }

  async onModuleDestroy(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Paths for the staged data and for the result. */
  async begin(imageId: ImageId): Promise<{ readonly source: string; readonly target: string }> {
    await this.remove(imageId);
    const folder = this.#of(imageId);
    await mkdir(folder, FOLDER);
    return { source: join(folder, 'source'), target: join(folder, 'target') };
  }

  /** Moves the result to its final name, and removes the source. */
  async finish(imageId: ImageId, staged: DataId, format: ConvertibleFormat): Promise<void> {
    const folder = this.#of(imageId);
    await rename(join(folder, 'target'), this.#path(imageId, staged, format));
    await rm(join(folder, 'source'), { force: true });
  }

  /** @returns the path of this staged data's conversion, if there is one */
  async find(
    imageId: ImageId,
    staged: DataId,
    format: ConvertibleFormat,
  ): Promise<string | undefined> {
    const path = this.#path(imageId, staged, format);
    return stat(path).then(
      () => path,
      () => undefined,
    );
  }

  async remove(imageId: ImageId): Promise<void> {
    await rm(this.#of(imageId), { recursive: true, force: true });
  }

  async list(): Promise<ImageId[]> {
    return (await readdir(this.#folder)) as ImageId[];
  }

  #of(imageId: ImageId): string {
    return join(this.#folder, imageId);
  }

  #path(imageId: ImageId, staged: DataId, format: ConvertibleFormat): string {
    return join(this.#of(imageId), `${staged}.${format}`);
  }
}

/** Whether only this user and root can replace it: the default is in a writable folder. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder);
  const hasOwner = found.uid === 0 || found.uid === process.getuid?.();
  const isClosed = (found.mode & 0o022) === 0 || (found.mode & STICKY) !== 0;
  return found.isDirectory() && hasOwner && isClosed;
}

/** Whether another process has this ID; ours may have belonged to an earlier process. */
function isAnother(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
