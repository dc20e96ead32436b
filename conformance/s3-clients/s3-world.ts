/** An access key of a project, files, and clients of S3 that know both. */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PythonEnvironment } from '../support/python-environment.js';
import type { OpenStackClient } from '../support/openstack-client.js';
import { runProgram, type CommandResult } from '../support/run-program.js';
import { words } from '../support/words.js';

/** Larger than what clients send in one piece: they begin a multipart upload. */
const LARGE = 20 * 1024 * 1024;

export class S3World {
  private constructor(
    readonly url: string,
    readonly access: string,
    readonly secret: string,
    private readonly python: PythonEnvironment,
    readonly folder: string,
  ) {}

  static async of(demo: OpenStackClient, url: string): Promise<S3World> {
    const key = await demo.json<{ access: string; secret: string }>(
      ...words`ec2 credentials create`,
    );
    const python = await PythonEnvironment.install('s3-clients');
    const folder = await mkdtemp(join(tmpdir(), 'cumulet-s3-'));
    const world = new S3World(url, key.access, key.secret, python, folder);
    await world.write('tree/small.txt', Buffer.from('small'));
    await world.write('tree/empty', Buffer.alloc(0));
    await world.write('tree/below/with space & more.txt', Buffer.from('named'));
    await world.write('tree/large.bin', randomBytes(LARGE));
    return world;
  }

  /** @param name below the world's folder */
  path(name: string): string {
    return join(this.folder, name);
  }

  async write(name: string, content: Buffer): Promise<void> {
    await mkdir(dirname(this.path(name)), { recursive: true });
    await writeFile(this.path(name), content);
  }

  /** What clients of Amazon's read. */
  get env(): Record<string, string> {
    return {
      AWS_ACCESS_KEY_ID: this.access,
      AWS_SECRET_ACCESS_KEY: this.secret,
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_ENDPOINT_URL: this.url,
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      HOME: this.folder,
    };
  }

  /** @returns what it prints. @throws Error unless it exits with 0 */
  async run(program: string, args: readonly string[], env = this.env): Promise<string> {
    const result = await this.try(program, args, env);
    if (result.exitCode === 0) return result.stdout;
    throw new Error(`${program} ${args.join(' ')}: ${result.stderr}${result.stdout}`);
  }

  /** Likewise, of a program that Python's packages bring. */
  python3(program: string, args: readonly string[]): Promise<string> {
    return this.run(this.python.program(program), args);
  }

  /** @returns how it ended, whichever way */
  try(program: string, args: readonly string[], env = this.env): Promise<CommandResult> {
    return runProgram(program, args, { env, cwd: this.folder, limitMs: 300_000 });
  }

  tryPython(program: string, args: readonly string[]): Promise<CommandResult> {
    return this.try(this.python.program(program), args);
  }

  /** @returns nothing if the two trees are the same */
  difference(one: string, other: string): Promise<string> {
    return this.run('diff', ['-r', this.path(one), this.path(other)]);
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
