/**
 * The files of the conversions of this process, a folder for each image.
 *
 * Always holds: a file under its last name is converted as a whole. The sweep removes what is left
 * of an import that ended otherwise, and the next process what one that died has left.
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

/** In a folder with this bit, only its owner may rename or remove what is in it. */
const STICKY = 0o1000;

/** The name of a process's folder. */
const OWNED = /^(\d+)-[0-9a-f-]{36}$/;

export class ConversionFiles implements OnModuleDestroy {
  readonly #folder: string;

  /** @param root the folder of all processes */
  constructor(private readonly root: string) {
    this.#folder = join(root, `${process.pid}-${randomUUID()}`);
  }

  /**
   * Call it before anything else: removes what dead processes have left.
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

  /** Where to put an image's staged data to be read, and the result of the conversion. */
  async begin(imageId: ImageId): Promise<{ readonly source: string; readonly target: string }> {
    await this.remove(imageId);
    const folder = this.#of(imageId);
    await mkdir(folder, FOLDER);
    return { source: join(folder, 'source'), target: join(folder, 'target') };
  }

  /** Gives the converted image its last name, and keeps nothing else. */
  async finish(imageId: ImageId, staged: DataId, format: ConvertibleFormat): Promise<void> {
    const folder = this.#of(imageId);
    await rename(join(folder, 'target'), this.#path(imageId, staged, format));
    await rm(join(folder, 'source'), { force: true });
  }

  /** @returns the path of what this staged data was converted to, or undefined */
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

  /** The images that have files. */
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

/**
 * Whether nobody but this user and root can put another folder in the place of ours. By default
 * ours is in a folder where anybody may make one of its name.
 */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder);
  const hasOwner = found.uid === 0 || found.uid === process.getuid?.();
  const isClosed = (found.mode & 0o022) === 0 || (found.mode & STICKY) !== 0;
  return found.isDirectory() && hasOwner && isClosed;
}

/** Whether this is a living process other than ours: an earlier process may have had our id. */
function isAnother(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
