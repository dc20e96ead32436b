/** Tempest, OpenStack's own tests of a cloud, from the package registry. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCloudEntry, type CloudEntry } from './cloud-entry.js';
import { CatalogSession } from './catalog-session.js';
import { clustersConf } from './cloud-clusters.js';
import { IMAGE, imagesConf } from './cloud-images.js';
import { networkConf } from './cloud-network.js';
import { stacksConf } from './cloud-stacks.js';
import { PythonEnvironment } from './python-environment.js';
import { outputOf, runProgram } from './run-program.js';

const LISTED_TESTS = fileURLToPath(new URL('listed-tests.py', import.meta.url));
const RUN_LIMIT_MS = 3_600_000;
/** Tests of Magnum's plugin, each of which deletes its class's user at its end: the next would find none. */
const EACH_ALONE = '^magnum_tempest_plugin\\.tests\\.api\\.v1\\.test_cluster\\.ClusterTest\\.';

/** In a list of tests, without the tags behind it. */
const TEST_ID = /^((?:(?:heat|magnum|neutron|octavia)_)?tempest\w*\.[\w.]+)/gm;

/** Options of tempest.conf, by section. */
export type TempestConf = Readonly<Record<string, Readonly<Record<string, string | number>>>>;

export class Tempest {
  #output = '';

  private constructor(
    private readonly environment: PythonEnvironment,
    private readonly folder: string,
  ) {}

  /**
   * Installs Tempest if it is missing, or not in the wanted version.
   * @param cloudsYaml the file that the cloud wrote
   * @param admin the entry under which Tempest creates its own projects and users
   * @param user the entry under which Heat's tests make their stacks
   * @param conf what else Tempest must know of the cloud
   */
  static async install(
    cloudsYaml: string,
    { admin, user }: { readonly admin: string; readonly user: string },
    conf: TempestConf,
  ): Promise<Tempest> {
    const environment = await PythonEnvironment.install('tempest');
    const folder = await mkdtemp(join(tmpdir(), 'cumulet-tempest-'));
    const tempest = new Tempest(environment, folder);
    const entry = await readCloudEntry(environment, cloudsYaml, admin);
    const session = await CatalogSession.open(entry);
    const users = {
      admin: entry,
      user: await readCloudEntry(environment, cloudsYaml, user),
      session,
    };
    const { auth, identity } = sectionsFor(entry);
    const sections = {
      DEFAULT: { log_file: join(folder, 'tempest.log') },
      oslo_concurrency: { lock_path: join(folder, 'locks') },
      ...(await networkConf(session)),
      ...(await stacksConf(users, IMAGE)),
      ...(await clustersConf(session)),
      ...conf,
      auth: { ...auth, ...conf['auth'] },
      identity: { ...identity, ...conf['identity'] },
      compute: { ...conf['compute'], ...(await imagesConf(session))['compute'] },
    };
    await writeFile(tempest.#conf, confOf(sections), { mode: 0o600 });
    return tempest;
  }

  /** What is installed of it, or of a plugin: `47.0.0`. */
  async version(name = 'tempest'): Promise<string> {
    const program = `import importlib.metadata as m; print(m.version("${name}"))`;
    return (await outputOf(this.environment.program('python'), ['-c', program])).trim();
  }

  /**
   * Runs exactly these tests.
   * @returns `success`, `fail`, `skip` and so on by id; a test that did not run is absent
   */
  async run(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    this.#output = '';
    const together = await this.#runListed(ids.filter((id) => !isRunAlone(id)));
    return new Map([...together, ...(await this.#runEachAlone(ids))]);
  }

  /**
   * Runs all tests whose ids match.
   * @param regex a Python regular expression
   * @returns a result of each of them: that of its class where this could not be set up
   */
  async runMatching(regex: string): Promise<ReadonlyMap<string, string>> {
    this.#output = '';
    const matching = ['run', '--regex', regex];
    const together = await this.#results(...matching, '--exclude-regex', EACH_ALONE);
    const listed = await this.#tempest(...matching, '--list-tests');
    const ids = [...listed.matchAll(TEST_ID)].map(([, id = '']) => id);
    const results = new Map([...together, ...(await this.#runEachAlone(ids))]);
    return new Map(
      ids.map((id) => [id, results.get(id) ?? results.get(classOf(id)) ?? 'did not run']),
    );
  }

  /** What Tempest said when these tests ran. */
  get output(): string {
    return this.#output;
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  async #runEachAlone(ids: readonly string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const id of ids.filter(isRunAlone))
      for (const [name, result] of await this.#runListed([id])) found.set(name, result);
    return found;
  }

  async #runListed(ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const [tests, results] = [join(this.folder, 'tests.txt'), join(this.folder, 'results.json')];
    await writeFile(tests, ids.join('\n'));
    const { stdout, stderr } = await runProgram(
      this.environment.program('python'),
      [LISTED_TESTS, this.#conf, tests, results],
      { cwd: this.folder, limitMs: RUN_LIMIT_MS },
    );
    this.#output += stdout + stderr;
    const text = await readFile(results, 'utf8').catch(() => '{}');
    await rm(results, { force: true });
    return new Map(Object.entries(JSON.parse(text) as Record<string, string>));
  }

  async #tempest(...args: string[]): Promise<string> {
    const [command = '', ...options] = args;
    const { stdout, stderr } = await runProgram(
      this.environment.program('tempest'),
      [command, '--config-file', this.#conf, ...options],
      { cwd: this.folder, limitMs: RUN_LIMIT_MS },
    );
    return stdout + stderr;
  }

  get #conf(): string {
    return join(this.folder, 'tempest.conf');
  }

  /** By id of a test or class; from the run's record, not from the output for people. */
  async #results(...command: string[]): Promise<Map<string, string>> {
    this.#output += await this.#tempest(...command, '--concurrency', '2');
    const [stestr, toCsv] = ['stestr', 'subunit2csv'].map((name) => this.environment.program(name));
    // The exit code says only whether all of them passed.
    const { stdout } = await runProgram(
      'bash',
      ['-c', '"$1" last --subunit | "$2" --no-passthrough', 'bash', stestr ?? '', toCsv ?? ''],
      { cwd: this.folder },
    );
    // `setUpClass (<class>)` is there where the class was skipped, or could not be set up.
    const rows = [...stdout.matchAll(/^"?(?:setUpClass \()?([\w.]+)\)?(?:\[.*\])?"?,(\w+),/gm)];
    return new Map(rows.map(([, id = '', status = '']) => [id, status]));
  }
}

function isRunAlone(id: string): boolean {
  return new RegExp(EACH_ALONE).test(id);
}

/** `a.b.Class.test_x` is a test of `a.b.Class`. */
function classOf(id: string): string {
  return id.slice(0, id.lastIndexOf('.'));
}

function sectionsFor({ auth, region_name: region }: CloudEntry): TempestConf {
  return {
    auth: {
      use_dynamic_credentials: 'True',
      admin_username: auth['username'] ?? '',
      admin_password: auth['password'] ?? '',
      admin_project_name: auth['project_name'] ?? '',
      admin_domain_name: 'Default',
    },
    identity: { uri_v3: auth['auth_url'] ?? '', region },
  };
}

function confOf(sections: TempestConf): string {
  return Object.entries(sections)
    .map(([section, options]) => {
      const lines = Object.entries(options).map(([name, value]) => `${name} = ${value}\n`);
      return `[${section}]\n${lines.join('')}`;
    })
    .join('\n');
}
