/**
 * Tests of OpenStack's own suite. The lists of conformance/lists have those that a cloud must pass to be
 * called OpenStack Powered (https://opendev.org/openinfra/interop, guidelines) and a few more;
 * `npm run conformance` runs all of it. Here are those that go through what a service is for.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RunningCloud } from '../support/running-cloud.js';
import {
  pinnedTests,
  SUITES,
  TEMPEST_CLOUD,
  TEMPEST_CONF,
  TEMPEST_USERS,
  testsOfEveryRun,
} from '../support/suites.js';
import { Tempest } from '../support/tempest.js';

const MINUTES = 60_000;

const IDS = testsOfEveryRun();

let cloud: RunningCloud;
let tempest: Tempest;
let results: ReadonlyMap<string, string>;

beforeAll(async () => {
  cloud = await RunningCloud.startAgain(TEMPEST_CLOUD);
  tempest = await Tempest.install(cloud.cloudsYaml, TEMPEST_USERS, TEMPEST_CONF);
  results = await tempest.run(IDS);
}, 30 * MINUTES);

afterAll(async () => {
  await cloud.remove();
  await tempest.remove();
}, 5 * MINUTES);

it.each(IDS)('%s', (id) => {
  const result = results.get(id) ?? 'did not run';
  // With all of Tempest's output: a class that could not be set up says so elsewhere.
  expect(result === 'success' ? result : `${result}\n${tempest.output}`).toBe('success');
});

it('the suites must pass these tests as a whole, too', () => {
  expect(Object.keys(SUITES).flatMap(pinnedTests)).toEqual(expect.arrayContaining(IDS));
});
