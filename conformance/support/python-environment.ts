/** A separate Python environment for each foreign client, from the package registry. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf } from './run-program.js';

const CONFORMANCE = fileURLToPath(new URL('..', import.meta.url));
const INSTALL_LIMIT_MS = 600_000;

export class PythonEnvironment {
  private constructor(private readonly folder: string) {}

  /**
   * Installs what `<name>/requirements.txt` lists, unless that is installed already.
   * @throws Error with pip's output
   */
  static async install(name: string): Promise<PythonEnvironment> {
    const requirements = join(CONFORMANCE, name, 'requirements.txt');
    const wanted = createHash('sha256')
      .update(await readFile(requirements))
      .digest('hex');
    const environment = new PythonEnvironment(join(CONFORMANCE, '.venv', name));
    const mark = join(environment.folder, 'installed');
    const found = await readFile(mark, 'utf8').catch(() => '');
    if (found === wanted) return environment;
    await rm(environment.folder, { recursive: true, force: true });
    await mkdir(dirname(environment.folder), { recursive: true });
    const limitMs = INSTALL_LIMIT_MS;
    await outputOf('python3', ['-m', 'venv', environment.folder], { limitMs });
    const install = ['install', '--quiet', '--disable-pip-version-check', '-r', requirements];
    await outputOf(environment.program('pip'), install, { limitMs });
    await writeFile(mark, wanted);
    return environment;
  }

  /** The path of the program of that name. */
  program(name: string): string {
    return join(this.folder, 'bin', name);
  }
}
