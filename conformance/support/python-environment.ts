/** A separate Python environment for each foreign client, from the package registry. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf } from './run-program.js';

const CONFORMANCE = fileURLToPath(new URL('..', import.meta.url));
const INSTALL = fileURLToPath(new URL('../../scripts/python-environment.sh', import.meta.url));
const INSTALL_LIMIT_MS = 600_000;

export class PythonEnvironment {
  private constructor(private readonly folder: string) {}

  /**
   * Installs what `<name>/requirements.txt` lists, unless that is installed already.
   * @throws Error with pip's output
   */
  static async install(name: string): Promise<PythonEnvironment> {
    const requirements = await readFile(join(CONFORMANCE, name, 'requirements.txt'), 'utf8');
    const folder = join(CONFORMANCE, '.venv', name);
    await outputOf(INSTALL, [folder, ...requirements.trim().split('\n')], {
      limitMs: INSTALL_LIMIT_MS,
    });
    return new PythonEnvironment(folder);
  }

  /** The path of the program of that name. */
  program(name: string): string {
    return join(this.folder, 'bin', name);
  }
}
