import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';

interface Report {
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

const CONFIG = {
  rootDir: path('.'),
  testRunner: path('native-runner.js'),
  testEnvironment: path('native-environment.js'),
  testMatch: ['**/fixtures/failing-tests.js'],
  transform: {},
};

async function report(...args: readonly string[]): Promise<Report> {
  const jest = path('../../../../node_modules/jest/bin/jest.js');
  const command = [`--import=${path('hooks.js')}`, jest, '--config', JSON.stringify(CONFIG)];
  const child = spawn(process.execPath, [...command, '--json', '--runInBand', ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(await text(child.stdout)) as Report;
}

describe('a file of tests', () => {
  let all: Report;

  beforeAll(async () => {
    all = await report();
  });

  it('reports how each test ended, and why it failed', () => {
    const [file] = all.testResults;
    const ends = file?.assertionResults.map(({ fullName, status, failureMessages }) => {
      const [said = ''] = failureMessages;
      return [fullName, status, /Error: (?:thrown: ")?(.*)/.exec(said)?.[1] ?? said.split('\n')[0]];
    });
    expect(ends).toEqual([
      ['passes', 'passed', ''],
      ['fails', 'failed', expect.stringContaining('toBe')],
      ['is skipped', 'pending', ''],
      ['is not written yet', 'todo', ''],
      ['is a row of a table: 1', 'passed', ''],
      ['is a row of a table: 2', 'failed', expect.stringContaining('toBe')],
      ['times out', 'failed', expect.stringContaining('Exceeded timeout of 10 ms')],
      ['leaves a promise that is rejected', 'failed', 'left behind'],
      ['catches a promise later', 'passed', ''],
      ['throws in a callback', 'failed', 'in a callback'],
      ['expects more than it asserts', 'failed', expect.stringContaining('assertions(1)')],
      ['a hook that fails before fails with it', 'failed', 'before'],
      ['a hook that fails after has passed by then', 'passed', ''],
    ]);
  });

  it('fails for a hook that fails after its tests', () => {
    const [file] = all.testResults;
    expect(file?.status).toBe('failed');
    expect(file?.message).toContain('after');
  });

  it('runs the tests with a requested name', async () => {
    const { numFailedTests, testResults } = await report('--testNamePattern', 'in a callback');
    expect(numFailedTests).toBe(1);
    const run = testResults[0]?.assertionResults.filter(({ status }) => status !== 'pending');
    expect(run?.map(({ fullName }) => fullName)).toEqual(['throws in a callback']);
  });
});
