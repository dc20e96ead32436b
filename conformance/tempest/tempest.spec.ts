/**
 * OpenStack's own tests of a cloud. `<service>.txt` lists those that a cloud must pass to be called
 * OpenStack Powered (https://opendev.org/openinfra/interop, guidelines), `<service>-more.txt` all
 * others of the service that can pass. The rest need operations that answer 501 by name (OAuth,
 * POST /v2/tasks), or several stores, volumes or formats that this configuration lacks, or are
 * refused on purpose: they delete roles in use, and boot a server from random bytes.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunningCloud } from '../support/running-cloud.js';
import { Tempest, type TempestConf } from '../support/tempest.js';

const MINUTES = 60_000;

/** `<name>.txt` beside this file. */
const LISTS = ['identity', 'images', 'identity-more', 'images-more'].map((name) => ({
  name,
  ids: idsOf(name),
}));

const PASSWORDS_REMEMBERED = 2;
const FAILURES_UNTIL_LOCKOUT = 2;
const LOCKOUT_SECONDS = 5;

const CLOUD = {
  CUMULET_SEED_MICRO: 'false',
  IDENTITY_PASSWORD_HISTORY: String(PASSWORDS_REMEMBERED),
  IDENTITY_LOCKOUT_FAILURES: String(FAILURES_UNTIL_LOCKOUT),
  IDENTITY_LOCKOUT_SECONDS: String(LOCKOUT_SECONDS),
};

const CONF: TempestConf = {
  auth: { create_isolated_networks: 'False' },
  identity: {
    user_unique_last_password_count: PASSWORDS_REMEMBERED,
    user_lockout_failure_attempts: FAILURES_UNTIL_LOCKOUT,
    user_lockout_duration: LOCKOUT_SECONDS,
  },
  'identity-feature-enabled': { security_compliance: 'True', access_rules: 'True' },
  // Random bytes are uploaded in each of these; a format with a signature would refuse them.
  image: { disk_formats: 'raw,ami,ari,aki' },
  'image-feature-enabled': { image_format_enforcement: 'False' },
  service_available: {
    ...{ glance: 'True', nova: 'True' },
    ...{ neutron: 'False', cinder: 'False', swift: 'False', horizon: 'False' },
  },
};

function idsOf(name: string): string[] {
  return readFileSync(new URL(`${name}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
}

let cloud: RunningCloud;
let tempest: Tempest;
let results: ReadonlyMap<string, string>;

beforeAll(async () => {
  cloud = await RunningCloud.start(CLOUD);
  tempest = await Tempest.install(cloud.cloudsYaml, 'cumulet-admin', CONF);
  results = await tempest.run(LISTS.flatMap(({ ids }) => ids));
}, 30 * MINUTES);

afterAll(async () => {
  await cloud.remove();
  await tempest.remove();
}, MINUTES);

describe.each(LISTS)('Tempest: $name', ({ ids }) => {
  it.each(ids)('%s', (id) => {
    const result = results.get(id) ?? 'did not run';
    // With all of Tempest's output: a class that could not be set up says so elsewhere.
    expect(result === 'success' ? result : `${result}\n${tempest.output}`).toBe('success');
  });
});
