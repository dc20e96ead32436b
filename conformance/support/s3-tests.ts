/**
 * Ceph's tests of S3 (github.com/ceph/s3-tests). No registry has them: they are cloned, or read from
 * the checkout that `S3_TESTS_DIR` names.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PythonEnvironment } from './python-environment.js';
import { outputOf, runProgram } from './run-program.js';
import type { S3Account } from './s3-accounts.js';

const REPOSITORY = 'https://github.com/ceph/s3-tests';
const COMMIT = '8f0ae7b404a3a2fcf7038bf1e6bf29544fe9b6a3';
const CHECKOUT = fileURLToPath(new URL('../.venv/s3-tests-source', import.meta.url));
const RUN_LIMIT_MS = 3 * 3_600_000;
/** Seconds after which a test counts as failed. */
const TEST_LIMIT = 300;
/** Seconds that a day of a lifecycle has in these tests. */
export const LIFECYCLE_DAY_SECONDS = 10;

export interface S3TestsAccounts {
  readonly main: S3Account;
  readonly alt: S3Account;
  readonly tenant: S3Account;
}

export class S3Tests {
  private constructor(
    private readonly environment: PythonEnvironment,
    private readonly source: string,
    private readonly folder: string,
  ) {}

  /** @param port of the S3 service on this machine */
  static async install(port: number, accounts: S3TestsAccounts): Promise<S3Tests> {
    const environment = await PythonEnvironment.install('s3-tests');
    const source = process.env['S3_TESTS_DIR'] ?? (await cloned());
    const folder = await mkdtemp(join(tmpdir(), 'cumulet-s3-tests-'));
    const tests = new S3Tests(environment, source, folder);
    await writeFile(tests.#conf, confOf(port, accounts), { mode: 0o600 });
    return tests;
  }

  /**
   * @param ids `test_s3.py::test_bucket_list_empty`
   * @returns by id `success`, `skip` or `fail`; a test that did not run is absent
   */
  async run(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const report = join(this.folder, 'report.xml');
    const paths = ids.map((id) => `s3tests/functional/${id}`);
    const options = ['-q', '-p', 'no:cacheprovider', `--timeout=${TEST_LIMIT}`];
    const { stdout } = await runProgram(
      this.environment.program('python'),
      ['-m', 'pytest', ...options, `--junitxml=${report}`, ...paths],
      { cwd: this.source, limitMs: RUN_LIMIT_MS, env: { S3TEST_CONF: this.#conf } },
    );
    this.output = stdout;
    return resultsIn(await readFile(report, 'utf8'));
  }

  /** Pytest's output from the last run. */
  output = '';

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  get #conf(): string {
    return join(this.folder, 's3tests.conf');
  }
}

async function cloned(): Promise<string> {
  if (!existsSync(CHECKOUT)) await outputOf('git', ['clone', '--quiet', REPOSITORY, CHECKOUT]);
  await outputOf('git', ['-C', CHECKOUT, 'checkout', '--quiet', COMMIT]);
  return CHECKOUT;
}

/** A test that is run with several values has passed where it has with each of them. */
function resultsIn(report: string): Map<string, string> {
  const cases = report.matchAll(
    /<testcase classname="([\w.]+)" name="([^"]+)"[^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g,
  );
  const results = new Map<string, string>();
  for (const [, module = '', name = '', content = ''] of cases) {
    const id = `${module.split('.').at(-1) ?? ''}.py::${name.split('[', 1)[0] ?? ''}`;
    const [former = 'success', status] = [results.get(id), statusOf(content)];
    results.set(id, status === 'success' ? former : status);
  }
  return results;
}

function statusOf(content: string): string {
  if (/<(?:failure|error)\b/.test(content)) return 'fail';
  return content.includes('<skipped') ? 'skip' : 'success';
}

function confOf(port: number, { main, alt, tenant }: S3TestsAccounts): string {
  const account = ({ projectId, access, secret }: S3Account, email: string): string[] => [
    `display_name = ${projectId}`,
    `user_id = ${projectId}`,
    `email = ${email}`,
    `access_key = ${access}`,
    `secret_key = ${secret}`,
  ];
  return [
    '[DEFAULT]',
    'host = localhost',
    `port = ${port}`,
    'is_secure = False',
    'ssl_verify = False',
    '[fixtures]',
    'bucket prefix = cumulet-{random}-',
    'iam name prefix = s3-tests-',
    'iam path prefix = /s3-tests/',
    '[s3 main]',
    ...account(main, 'main@example.org'),
    'api_name = us-east-1',
    `lc_debug_interval = ${LIFECYCLE_DAY_SECONDS}`,
    '[s3 alt]',
    ...account(alt, 'alt@example.org'),
    '[s3 tenant]',
    ...account(tenant, 'tenant@example.org'),
    `tenant = ${tenant.projectId}`,
    // Read, and of use to tests of IAM alone, which Cumulet has none of.
    ...['iam', 'iam root', 'iam alt root'].flatMap((section) => [
      `[${section}]`,
      ...account(alt, 'alt@example.org'),
    ]),
    '',
  ].join('\n');
}
