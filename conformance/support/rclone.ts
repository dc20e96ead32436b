/**
 * The integration tests of rclone's backend for S3: all that rclone asks of a store, once as it is and
 * once with objects that stand for directories.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtFolder, sourceOf, type GoProgram } from './go-program.js';
import { runProgram } from './run-program.js';
import type { S3Account } from './s3-accounts.js';
import { TlsIngress } from './tls-ingress.js';

const PROGRAM: GoProgram = {
  name: 'rclone-s3-tests',
  module: 'github.com/rclone/rclone',
  version: 'v1.76.0',
  main: './backend/s3',
  ofTests: true,
};
const RUN_LIMIT_MS = 60 * 60_000;
/** Of a program of tests: of which some failed. Another code means that it did not get to its end. */
const SOME_FAILED = 1;
const STATUS_OF: Readonly<Record<string, string>> = { PASS: 'success', SKIP: 'skip' };

/** Any store's, but with what rclone counts on at Amazon and takes care not to ask of others. */
const REMOTE = {
  TYPE: 's3',
  PROVIDER: 'Other',
  REGION: 'us-east-1',
  LIST_VERSION: '2',
  LIST_URL_ENCODE: 'true',
  USE_MULTIPART_ETAG: 'true',
  USE_ALREADY_EXISTS: 'true',
  USE_DATA_INTEGRITY_PROTECTIONS: 'true',
  USE_UNSIGNED_PAYLOAD: 'false',
};

export const RCLONE_TITLE = `the integration tests of the backend for S3 in rclone ${PROGRAM.version}, over TLS`;

/**
 * @param port of the S3 service on this machine
 * @returns by test `success`, `skip` or `failure`
 */
export async function testRclone(
  port: number,
  account: S3Account,
): Promise<ReadonlyMap<string, string>> {
  const program = join(await builtFolder(PROGRAM), PROGRAM.name);
  // Where `go test` would run it.
  const cwd = join(await sourceOf(PROGRAM), PROGRAM.main);
  const home = await mkdtemp(join(tmpdir(), 'cumulet-rclone-'));
  const ingress = await TlsIngress.start(port);
  try {
    const env = {
      ...remoteVariables(`https://localhost:${ingress.port}`, account),
      SSL_CERT_FILE: ingress.certificate,
      HOME: home,
      RCLONE_CONFIG: join(home, 'rclone.conf'),
      RCLONE_CACHE_DIR: join(home, 'cache'),
    };
    // The others are about rclone alone.
    const args = ['-test.v', '-test.run=^TestIntegration', `-test.timeout=${RUN_LIMIT_MS}ms`];
    const result = await runProgram(program, args, { cwd, env, limitMs: RUN_LIMIT_MS });
    console.log(result.stdout + result.stderr);
    if (result.exitCode !== 0 && result.exitCode !== SOME_FAILED)
      throw new Error(`${PROGRAM.name} exited with ${result.exitCode}`);
    return innermost(resultsIn(result.stdout));
  } finally {
    await ingress.remove();
    await rm(home, { recursive: true, force: true });
  }
}

/** Of the remote that the tests use unless they are told of another, so that no file is read. */
function remoteVariables(url: string, { access, secret }: S3Account): Record<string, string> {
  const all = { ...REMOTE, ENDPOINT: url, ACCESS_KEY_ID: access, SECRET_ACCESS_KEY: secret };
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [`RCLONE_CONFIG_TESTS3_${name}`, value]),
  );
}

function resultsIn(output: string): Map<string, string> {
  const lines = output.matchAll(/^ *--- (PASS|FAIL|SKIP): (\S+) \(/gm);
  return new Map(
    [...lines].map(([, word = '', id = '']) => [id, STATUS_OF[word] ?? 'failure'] as const),
  );
}

/** Without the tests that are no more than the sum of others, which fail where one of those does. */
function innermost(results: ReadonlyMap<string, string>): Map<string, string> {
  const all = [...results];
  return new Map(
    all.filter(([id, status]) => {
      const parts = all.filter(([other]) => other.startsWith(`${id}/`));
      const isExplained = status !== 'failure' || parts.some(([, one]) => one === 'failure');
      return parts.length === 0 || !isExplained;
    }),
  );
}
