/**
 * The files of a simulated host, so that it outlives the process as a real one's disks and
 * machines do: a folder each for images and guests, a file of JSON for each of them.
 *
 * Always holds: a file is whole, and the last write of a name wins. One process at a time keeps a
 * folder; only its owner may read it, since guests' files hold what a config drive does.
 */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sync, writeDurably } from '@cumulet/common/files/durable-file';
import { KeyedLock } from '@cumulet/common/context/keyed-lock';
import { asHypervisorError } from '../hypervisor-error.js';

const SUFFIX = '.json';

export class WorldFiles<T> {
  private readonly files = new KeyedLock();

  private constructor(private readonly folder: string) {}

  /**
   * Makes the folder where it is missing, and removes what a write left that was broken off.
   * @returns the files, and their content by name
   */
  static async open<T>(folder: string): Promise<[WorldFiles<T>, Map<string, T>]> {
    const content = new Map<string, T>();
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const file of await readdir(folder)) {
        const path = join(folder, file);
        if (!file.endsWith(SUFFIX)) await rm(path, { force: true });
        else {
          const name = file.slice(0, -SUFFIX.length);
          content.set(name, JSON.parse(await readFile(path, 'utf8')) as T);
        }
      }
    } catch (error) {
      throw asHypervisorError(error, "The simulated host's folder cannot be used");
    }
    return [new WorldFiles<T>(folder), content];
  }

  /**
   * Makes the file what `current` returns by the time of writing; removes it for undefined.
   * @param name safe for a file
   * Throws `capacity` or `transient` if it cannot be written.
   */
  async keep(name: string, current: () => T | undefined): Promise<void> {
    await this.files.run(name, async () => {
      const path = join(this.folder, name + SUFFIX);
      const value = current();
      try {
        if (value === undefined) {
          await rm(path, { force: true });
          await sync(this.folder);
        } else await writeDurably(path, JSON.stringify(value));
      } catch (error) {
        throw asHypervisorError(error, 'The simulated host could not be written');
      }
    });
  }
}
