/**
 * That each command of the pinned openstack client about compute, load balancers, stacks and clusters is
 * run by a spec beside this one, or named with the reason why none runs it. It reads the specs, so it
 * knows at once.
 */
import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, expect, it } from '@jest/globals';
import { PythonEnvironment } from '../support/python-environment.js';
import { outputOf } from '../support/run-program.js';
import { knownReasons } from '../support/suites.js';

const MINUTES = 60_000;
const FOLDERS = ['../openstack-client/', '../acceptance/'];
const PACKAGES = [
  'python-openstackclient',
  'python-octaviaclient',
  'python-heatclient',
  'python-magnumclient',
];
const GROUPS = [
  'openstack.compute.v2',
  'openstack.common',
  'openstack.load_balancer.v2',
  'openstack.orchestration.v1',
  'openstack.container_infra.v1',
];
const PRINT_COMMANDS = `
import importlib.metadata as metadata
for package in ${JSON.stringify(PACKAGES)}:
    for entry in metadata.distribution(package).entry_points:
        if entry.group in ${JSON.stringify(GROUPS)}:
            print(entry.name.replace("_", " "))
`;

let commands: string[];
let run: string[];
let reasons: string[];

/** @returns the specs' texts, without the titles of tests, and with lists of words as one text */
async function specs(): Promise<string> {
  const texts = FOLDERS.map(async (path) => {
    const folder = new URL(path, import.meta.url);
    const files = (await readdir(folder)).filter((file) => file.endsWith('.spec.ts'));
    const read = files.map((file) => readFile(new URL(file, folder), 'utf8'));
    return (await Promise.all(read)).join('\n');
  });
  return (await Promise.all(texts))
    .join('\n')
    .replaceAll(/\b(?:it|describe)\(\s*'[^']*'/g, '')
    .replaceAll(/'\s*,\s*'/g, ' ');
}

beforeAll(async () => {
  const environment = await PythonEnvironment.install('openstack-client');
  const printed = await outputOf(environment.program('python'), ['-c', PRINT_COMMANDS]);
  commands = printed.trim().split('\n').sort();
  const text = await specs();
  // At the beginning of a command line, but for an option with its value.
  run = commands.filter((command) =>
    new RegExp(`['\`](?:--\\S+ \\S+ )?${command}(?=['\` ])`).test(text),
  );
  reasons = knownReasons('openstack-client').map(([command]) => command);
}, 10 * MINUTES);

it('each command is run by a spec, or has its reason', () => {
  expect(commands.length).toBeGreaterThan(100);
  const known = new Set([...run, ...reasons]);
  expect(commands.filter((command) => !known.has(command))).toEqual([]);
});

it('each reason is about a command that is there and not run', () => {
  const notRun = new Set(commands.filter((command) => !run.includes(command)));
  expect(reasons.filter((command) => !notRun.has(command))).toEqual([]);
});
