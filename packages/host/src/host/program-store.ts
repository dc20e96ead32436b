/**
 * Programs that agents have brought aboard, each in a folder named by its contents. It has its name only once it is
 * whole, and is compared with its hashes before each use, so that a crash, or anyone, leaves nothing else to run.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { KeyedLock } from '@cumulet/common/context/keyed-lock';
import type { DoorConnection } from '../door/door-connection.js';
import { ProtocolError } from '../door/frames.js';
import { buildIdOf, type ProgramFile } from '../door/program.js';

const UNFINISHED = '.tmp';

export class ProgramStore {
  readonly #publishing = new KeyedLock();

  constructor(private readonly folder: string) {}

  folderOf(build: string): string {
    return join(this.folder, build);
  }

  /** Removes those that a host before had not received in full. */
  async open(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const names = await readdir(this.folder);
    await this.#remove(names.filter((name) => name.endsWith(UNFINISHED)));
  }

  /** Whether the program is here as the list says. */
  async has(files: readonly ProgramFile[]): Promise<boolean> {
    const folder = this.folderOf(buildIdOf(files));
    for (const file of files) if (!(await isWhole(join(folder, file.path), file))) return false;
    return true;
  }

  /**
   * Reads the program's files from the connection, in the order of the list.
   * @throws ProtocolError if they are not those of the list; the system's error if they cannot be written
   */
  async receive(files: readonly ProgramFile[], door: DoorConnection): Promise<void> {
    const build = buildIdOf(files);
    const unfinished = this.folderOf(`${build}.${randomUUID()}${UNFINISHED}`);
    try {
      for (const file of files) {
        const path = join(unfinished, file.path);
        await mkdir(dirname(path), { recursive: true });
        await receiveFile(path, file, door);
      }
      await this.#publishing.run(build, async () => {
        // It has come with another agent meanwhile, which may run it already.
        if (await this.has(files)) return;
        await this.#remove([build]);
        await rename(unfinished, this.folderOf(build));
      });
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }

  /** Removes all programs but these, and those that arrive at present. */
  async keepOnly(builds: ReadonlySet<string>): Promise<void> {
    const names = await readdir(this.folder);
    await this.#remove(names.filter((name) => !name.endsWith(UNFINISHED) && !builds.has(name)));
  }

  async #remove(names: readonly string[]): Promise<void> {
    for (const name of names) await rm(join(this.folder, name), { recursive: true, force: true });
  }
}

async function receiveFile(path: string, file: ProgramFile, door: DoorConnection): Promise<void> {
  const hash = createHash('sha256');
  const handle = await open(path, 'wx', 0o600);
  try {
    for (let left = file.bytes; left > 0;) {
      const frame = await door.read();
      if (frame?.kind !== 'file' || frame.body.length === 0 || frame.body.length > left)
        throw new ProtocolError('the files of the program do not arrive as listed');
      hash.update(frame.body);
      await handle.writeFile(frame.body);
      left -= frame.body.length;
    }
  } finally {
    await handle.close();
  }
  if (hash.digest('hex') !== file.sha256)
    throw new ProtocolError('a file of the program does not have the listed contents');
}

async function isWhole(path: string, { bytes, sha256 }: ProgramFile): Promise<boolean> {
  try {
    if ((await stat(path)).size !== bytes) return false;
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    return hash.digest('hex') === sha256;
  } catch {
    return false;
  }
}
