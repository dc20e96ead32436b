/**
 * Records by their ids, a file of JSON for each. Processes of one host share the folder: a file is
 * whole, and the last write of an id wins.
 */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '@cumulet/common/files/durable-file';

const SUFFIX = '.json';

export class RecordFolder<T> {
  private constructor(private readonly folder: string) {}

  /** Makes the folder where it is missing, and removes what a broken-off write left. */
  static async open<T>(folder: string): Promise<RecordFolder<T>> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const file of await readdir(folder))
      if (!file.endsWith(SUFFIX)) await rm(join(folder, file), { force: true });
    return new RecordFolder<T>(folder);
  }

  async get(id: string): Promise<T | undefined> {
    try {
      return JSON.parse(await readFile(this.pathOf(id), 'utf8')) as T;
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  put(id: string, record: T): Promise<void> {
    return writeDurably(this.pathOf(id), JSON.stringify(record));
  }

  /** Does nothing if there is none. */
  remove(id: string): Promise<void> {
    return rm(this.pathOf(id), { force: true });
  }

  async ids(): Promise<string[]> {
    const files = await readdir(this.folder);
    return files
      .filter((file) => file.endsWith(SUFFIX))
      .map((file) => file.slice(0, -SUFFIX.length));
  }

  async all(): Promise<Map<string, T>> {
    const found = new Map<string, T>();
    for (const id of await this.ids()) {
      const record = await this.get(id);
      if (record !== undefined) found.set(id, record);
    }
    return found;
  }

  private pathOf(id: string): string {
    return join(this.folder, `${id}${SUFFIX}`);
  }
}
