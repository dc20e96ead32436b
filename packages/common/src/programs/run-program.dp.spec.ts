import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findProgram } from './find-program.js';
import { ProgramMissingError, runLimited, runProgram } from './run-program.js';

const SEARCH_PATH = '/usr/bin:/bin';
/** Ends only what hangs. */
const LIMIT = { timeoutMs: 120_000 };

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'programs-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a program', () => {
  it('is found in the folders of the search path', async () => {
    expect(await findProgram('sh', `relative:/nonexistent:${SEARCH_PATH}`)).toMatch(/\/sh$/);
    expect(await findProgram('no-such-program', SEARCH_PATH)).toBeUndefined();
  });

  it('returns its exit code and output', async () => {
    const result = await runProgram('/bin/sh', ['-c', 'cat; echo no >&2; exit 3'], {
      ...LIMIT,
      input: 'yes',
    });
    expect({ ...result, stdout: result.stdout.toString() }).toEqual({
      exitCode: 3,
      stdout: 'yes',
      stderr: 'no\n',
    });
  });

  it('runs in the given folder, as the given user', async () => {
    const own = process.getuid?.();
    const account = own === 0 ? { uid: 65534, gid: 65534 } : undefined;
    const { stdout } = await runProgram('/bin/sh', ['-c', 'pwd; id -u'], {
      ...LIMIT,
      cwd: '/usr',
      account,
    });
    expect(stdout.toString()).toBe(`/usr\n${account?.uid ?? own}\n`);
  });

  it('does not inherit our environment', async () => {
    const { stdout } = await runProgram('/usr/bin/env', [], LIMIT);
    expect(stdout.toString().trim().split('\n').sort()).toEqual([
      'LC_ALL=C',
      'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
    ]);
  });

  it('ends at its deadline, and when aborted', async () => {
    const late = await runProgram('/bin/sleep', ['600'], { timeoutMs: 50 });
    const unwanted = new AbortController();
    const running = runProgram('/bin/sleep', ['600'], { ...LIMIT, signal: unwanted.signal });
    unwanted.abort();
    expect([late.exitCode, (await running).exitCode]).toEqual([undefined, undefined]);
  });

  it('that is missing is named', async () => {
    const missing = '/nonexistent/program';
    await expect(runProgram(missing, [], LIMIT)).rejects.toThrow(`${missing} cannot be run`);
    await expect(runLimited('/usr/bin/prlimit', {}, missing, [], LIMIT)).rejects.toThrow(
      ProgramMissingError,
    );
  });
});

describe('a limited program', () => {
  const run = (limits: object, script: string): ReturnType<typeof runLimited> =>
    runLimited('/usr/bin/prlimit', limits, '/bin/sh', ['-c', script], LIMIT);

  it('cannot write a larger file', async () => {
    const path = join(folder, 'large');
    const { exitCode } = await run(
      { fileBytes: 65_536 },
      `exec head -c 1000000 /dev/zero > ${path}`,
    );
    expect(exitCode).not.toBe(0);
    expect((await stat(path)).size).toBeLessThanOrEqual(65_536);
  });

  it('cannot use more processor time', async () => {
    const { exitCode } = await run({ cpuSeconds: 1 }, 'while :; do :; done');
    expect(exitCode).toBeUndefined();
  });

  it('runs without limits if prlimit is not installed', async () => {
    const { exitCode } = await runLimited(undefined, {}, '/bin/true', [], LIMIT);
    expect(exitCode).toBe(0);
  });
});
