/**
 * The platform as `docker compose up` runs it, with volumes of its own. Its images have been built
 * before (scripts/conformance.mjs). Nothing of ours is imported here but what runs programs.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@cumulet/testing/free-port';
import { eventually } from './eventually.js';
import { outputOf, runProgram, type CommandResult } from './run-program.js';

const FILE = fileURLToPath(new URL('../../docker-compose.yml', import.meta.url));

/** Ends what hangs; a slow machine takes some minutes. */
const START_LIMIT_MS = 900_000;
const STEP_LIMIT_MS = 300_000;

/** Where hosts keep what belongs to guests, in their containers. */
const HOSTS = '/var/lib/cumulet/hosts/';

export class ComposeCloud {
  private constructor(
    readonly folder: string,
    private readonly env: Readonly<Record<string, string>>,
    private readonly project: string,
  ) {}

  /** @param scale how many containers of a service, other than one */
  static async start(scale: Readonly<Record<string, number>> = {}): Promise<ComposeCloud> {
    const folder = await mkdtemp(join(tmpdir(), 'cumulet-compose-'));
    const [port, s3Port] = [await freePort(), await freePort()];
    const cloud = new ComposeCloud(
      folder,
      {
        CUMULET_PORT: String(port),
        S3_PORT: String(s3Port),
        CUMULET_PUBLIC_URL: `http://127.0.0.1:${port}`,
        S3_PUBLIC_URL: `http://127.0.0.1:${s3Port}`,
      },
      basename(folder).toLowerCase(),
    );
    try {
      await cloud.up(scale);
      await cloud.#seeded();
      await writeFile(cloud.cloudsYaml, await cloud.#clouds());
    } catch (error) {
      const { stdout } = await cloud.compose('logs', '--no-color', '--tail', '40');
      await cloud.remove();
      throw new Error(`${String(error)}\n${stdout}`, { cause: error });
    }
    return cloud;
  }

  get url(): string {
    return this.env['CUMULET_PUBLIC_URL'] ?? '';
  }

  get s3Url(): string {
    return this.env['S3_PUBLIC_URL'] ?? '';
  }

  get cloudsYaml(): string {
    return join(this.folder, 'clouds.yaml');
  }

  /** Makes what lacks, and scales: one container of each service, but for these. */
  async up(scale: Readonly<Record<string, number>> = {}): Promise<void> {
    const scales = Object.entries(scale).flatMap(([service, many]) => [
      '--scale',
      `${service}=${many}`,
    ]);
    await this.done('up', '--detach', '--no-build', ...scales);
  }

  /** Runs `docker-compose`. */
  compose(...args: string[]): Promise<CommandResult> {
    return runProgram('docker-compose', this.#arguments(args), this.#options);
  }

  /** @returns what it prints. @throws Error with what it said, unless it exits with 0 */
  done(...args: string[]): Promise<string> {
    return outputOf('docker-compose', this.#arguments(args), this.#options);
  }

  #arguments(args: readonly string[]): string[] {
    return ['--project-name', this.project, '--file', FILE, ...args];
  }

  get #options(): { env: Readonly<Record<string, string>>; limitMs: number } {
    return { env: this.env, limitMs: STEP_LIMIT_MS };
  }

  /** The ids of a service's containers. */
  async containers(service: string): Promise<string[]> {
    return (await this.done('ps', '--quiet', service)).split('\n').filter((id) => id !== '');
  }

  async guestProcesses(): Promise<number[]> {
    const found: number[] = [];
    for (const name of await readdir('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const args = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
      const [program = ''] = args.split('\0');
      if (program.includes('qemu-system') && args.includes(HOSTS)) found.push(Number(name));
    }
    return found;
  }

  /** As when the machine loses power. */
  async kill(): Promise<void> {
    await this.done('kill');
  }

  /** Makes what lacks, and starts what does not run. */
  start(): Promise<void> {
    return this.up();
  }

  /** Ends all of its containers, and removes their volumes. */
  async remove(): Promise<void> {
    await this.compose('down', '--volumes', '--timeout', '5', '--remove-orphans');
    await rm(this.folder, { recursive: true, force: true });
  }

  /** What the cloud offers from the beginning is offered last. */
  async #seeded(): Promise<void> {
    await eventually('the cloud has its seeds', START_LIMIT_MS, async () => {
      const [id] = await this.containers('seeds');
      if (id === undefined) return undefined;
      const format = '{{.State.Status}} {{.State.ExitCode}}';
      const { stdout } = await runProgram('docker', ['inspect', '--format', format, id]);
      return stdout.trim() === 'exited 0' ? true : undefined;
    });
  }

  #clouds(): Promise<string> {
    const url = `CUMULET_PUBLIC_URL=${this.url}`;
    return this.done('exec', '-T', '--env', url, 'identity', 'node', '/app/prepare.js', 'clouds');
  }
}
