/**
 * The functional tests of minio-go, MinIO's client of S3: a program in one file of its Go module, which
 * runs them one after the other and prints a line of JSON about each.
 */
import { join } from 'node:path';
import { builtFolder, type GoProgram } from './go-program.js';
import { runProgram } from './run-program.js';
import type { S3Account } from './s3-accounts.js';
import { TlsIngress } from './tls-ingress.js';

const PROGRAM: GoProgram = {
  name: 'minio-go-tests',
  module: 'github.com/minio/minio-go/v7',
  version: 'v7.4.1',
  main: 'functional_tests.go',
};
const RUN_LIMIT_MS = 90 * 60_000;
/** From the worst on: a test may print more than one line. */
const STATUSES = ['failure', 'skip', 'success'];
const STATUS_OF: Readonly<Record<string, string>> = { PASS: 'success', NA: 'skip' };

export const MINIO_GO_TITLE = `the functional tests of minio-go ${PROGRAM.version}, over TLS`;

/**
 * @param port of the S3 service on this machine
 * @returns by test `success`, `failure` or, where the client was answered NotImplemented, `skip`
 */
export async function testMinioGo(
  port: number,
  { access, secret }: S3Account,
): Promise<ReadonlyMap<string, string>> {
  const program = join(await builtFolder(PROGRAM), PROGRAM.name);
  const ingress = await TlsIngress.start(port);
  try {
    const { exitCode, stdout, stderr } = await runProgram(program, [], {
      limitMs: RUN_LIMIT_MS,
      env: {
        SERVER_ENDPOINT: `localhost:${ingress.port}`,
        ACCESS_KEY: access,
        SECRET_KEY: secret,
        ENABLE_HTTPS: '1',
        SSL_CERT_FILE: ingress.certificate,
        MINT_MODE: 'full',
        RUN_ON_FAIL: '1',
      },
    });
    console.log(stdout + stderr);
    // A test that ends it would leave out all that come behind.
    if (exitCode !== 0) throw new Error(`${PROGRAM.name} exited with ${exitCode}`);
    return resultsIn(stdout);
  } finally {
    await ingress.remove();
  }
}

function resultsIn(output: string): Map<string, string> {
  const results = new Map<string, string>();
  for (const [name, status] of output.split('\n').flatMap(lineOf)) {
    const worst = STATUSES.find((one) => one === status || one === results.get(name));
    results.set(name, worst ?? status);
  }
  return results;
}

/** @returns a test and its status, or nothing for a line about anything else */
function lineOf(line: string): [string, string][] {
  if (!line.startsWith('{')) return [];
  const { name, status } = JSON.parse(line) as { name?: string; status?: string };
  // What is printed of a part is named after both: `testCors_7_preflight`, `testListObjects.func1`.
  const test = /^minio-go: ([0-9A-Za-z]+)/.exec(name ?? '')?.[1];
  if (test === undefined || status === undefined) return [];
  return [[test, STATUS_OF[status] ?? 'failure']];
}
