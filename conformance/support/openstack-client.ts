/** The stock `openstack` client, as the package registry has it, in an environment of its own. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const REQUIREMENTS = fileURLToPath(
  new URL('../openstack-client/requirements.txt', import.meta.url),
);
const ENVIRONMENT = fileURLToPath(new URL('../.venv', import.meta.url));
const COMMAND_LIMIT_MS = 120_000;

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export class OpenStackClient {
  private constructor(
    private readonly cloudsYaml: string,
    private readonly cloud: string,
  ) {}

  /**
   * Installs the client where it is not, or not in the wanted version.
   * @param cloudsYaml the file that the cloud wrote
   * @param cloud the entry in it
   */
  static async install(cloudsYaml: string, cloud: string): Promise<OpenStackClient> {
    const wanted = createHash('sha256')
      .update(await readFile(REQUIREMENTS))
      .digest('hex');
    const mark = join(ENVIRONMENT, 'installed');
    const found = await readFile(mark, 'utf8').catch(() => '');
    if (found !== wanted) {
      await rm(ENVIRONMENT, { recursive: true, force: true });
      await run('python3', ['-m', 'venv', ENVIRONMENT]);
      const pip = join(ENVIRONMENT, 'bin', 'pip');
      await run(pip, ['install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS]);
      await writeFile(mark, wanted);
    }
    return new OpenStackClient(cloudsYaml, cloud);
  }

  /** Runs `openstack <args>`; does not throw where the client fails. */
  async run(...args: string[]): Promise<CommandResult> {
    try {
      const { stdout, stderr } = await run(join(ENVIRONMENT, 'bin', 'openstack'), args, {
        timeout: COMMAND_LIMIT_MS,
        env: { ...process.env, OS_CLIENT_CONFIG_FILE: this.cloudsYaml, OS_CLOUD: this.cloud },
      });
      return { exitCode: 0, stdout, stderr };
    } catch (error) {
      const {
        code,
        stdout = '',
        stderr = '',
      } = error as { code?: unknown; stdout?: string; stderr?: string };
      return { exitCode: typeof code === 'number' ? code : -1, stdout, stderr };
    }
  }

  /**
   * Runs `openstack <args> -f json`.
   * @throws Error with what the client said, unless it exits with 0
   */
  async json<T>(...args: string[]): Promise<T> {
    return JSON.parse(await this.text(...args, '-f', 'json')) as T;
  }

  /** @throws Error with what the client said, unless it exits with 0 */
  async text(...args: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(...args);
    if (exitCode !== 0)
      throw new Error(`openstack ${args.join(' ')} exited with ${exitCode}: ${stderr}${stdout}`);
    return stdout;
  }
}
