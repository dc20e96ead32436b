/** Foreign suites of tests: `npm run conformance -- <name>` runs one of them as a whole. */
import { readFileSync } from 'node:fs';
import { SIMULATED_CLOUD } from './simulated-cloud.js';
import type { TempestConf } from './tempest.js';

export interface Suite {
  readonly title: string;
  /** Python regular expression of the ids of its tests. */
  readonly tests: string;
  /** Where its tests come from, besides Tempest itself. */
  readonly package?: string;
}

export const SUITES: Readonly<Record<string, Suite>> = {
  'tempest-identity': {
    title: 'the tests of the Identity API in Tempest',
    tests: '^tempest\\.api\\.identity\\.',
  },
  'tempest-image': {
    title: 'the tests of the Image API in Tempest',
    tests: '^tempest\\.api\\.image\\.',
  },
  'tempest-network': {
    title: 'the tests of the Network API in Tempest',
    tests: '^tempest\\.api\\.network\\.',
  },
  'neutron-plugin': {
    title: "the API tests of Neutron's own plugin of Tempest",
    tests: '^neutron_tempest_plugin\\.api\\.',
    package: 'neutron-tempest-plugin',
  },
  'octavia-plugin': {
    title: "the API tests of Octavia's own plugin of Tempest",
    tests: '^octavia_tempest_plugin\\.tests\\.api\\.',
    package: 'octavia-tempest-plugin',
  },
  'heat-plugin': {
    title: "the tests of Heat's own plugin of Tempest",
    tests: '^heat_tempest_plugin\\.tests\\.',
    package: 'heat-tempest-plugin',
  },
  'magnum-plugin': {
    title: "the tests of Magnum's own plugin of Tempest",
    tests: '^magnum_tempest_plugin\\.tests\\.',
    package: 'magnum-tempest-plugin',
  },
  'tempest-compute': {
    title: 'the tests of the Compute API in Tempest',
    tests: '^tempest\\.api\\.compute\\.',
  },
};

/** What packets of a project's network may have there, in bytes. */
const MTU = 1442;
const PASSWORDS_REMEMBERED = 2;
const FAILURES_UNTIL_LOCKOUT = 2;
const LOCKOUT_SECONDS = 5;

/** Settings of the cloud that Tempest tests. */
export const TEMPEST_CLOUD = {
  ...SIMULATED_CLOUD,
  NETWORK_MTU: String(MTU),
  // A class of Neutron's tests makes more than ten.
  NETWORK_QUOTA_ROUTERS: '50',
  IDENTITY_PASSWORD_HISTORY: String(PASSWORDS_REMEMBERED),
  IDENTITY_LOCKOUT_FAILURES: String(FAILURES_UNTIL_LOCKOUT),
  IDENTITY_LOCKOUT_SECONDS: String(LOCKOUT_SECONDS),
};

/** Entries of that cloud's clouds.yaml. */
export const TEMPEST_USERS = { admin: 'cumulet-admin', user: 'cumulet' };

/** What Tempest must know of that cloud. */
export const TEMPEST_CONF: TempestConf = {
  identity: {
    user_unique_last_password_count: PASSWORDS_REMEMBERED,
    user_lockout_failure_attempts: FAILURES_UNTIL_LOCKOUT,
    user_lockout_duration: LOCKOUT_SECONDS,
  },
  'identity-feature-enabled': { security_compliance: 'True', access_rules: 'True' },
  compute: { min_microversion: '2.1', max_microversion: 'latest', build_interval: 1 },
  'compute-feature-enabled': {
    resize: 'True',
    cold_migration: 'True',
    stable_rescue: 'True',
    scheduler_available_filters: 'all',
    vnc_console: 'True',
    serial_console: 'True',
    metadata_service: 'True',
  },
  validation: { run_validation: 'False' },
  // Random bytes are uploaded in each of these; a format with a signature would refuse them.
  image: { disk_formats: 'raw,ami,ari,aki' },
  'image-feature-enabled': { image_format_enforcement: 'False' },
  neutron_plugin_options: {
    available_type_drivers: 'geneve,flat,vlan,local',
    provider_vlans: 'public',
    create_shared_resources: 'True',
    max_mtu: MTU,
  },
  load_balancer: {
    provider: 'haproxy',
    octavia_svc_username: 'loadbalancer',
    enabled_provider_drivers:
      'haproxy:HAProxy on a host of the platform.,amphora:Another name of haproxy.,octavia:Another name of haproxy.',
    expected_flavor_capability:
      'connection_limit:Connections at once of all listeners together; further ones wait.',
    // What is another project's does not exist here (404), where these tests want 403 in each of them.
    RBAC_test_type: 'none',
    // Roles that load balancers ask for here are those of every service.
    member_role: 'member',
    admin_role: 'admin',
    observer_role: 'reader',
    global_observer_role: 'admin',
    check_interval: 0.2,
    lb_build_interval: 0.2,
    build_interval: 0.2,
    check_timeout: 60,
  },
  // Each answers by name that it does not have it.
  'loadbalancer-feature-enabled': { not_implemented_is_error: 'False' },
  service_available: {
    glance: 'True',
    nova: 'True',
    neutron: 'True',
    cinder: 'False',
    swift: 'False',
    horizon: 'False',
  },
};

/** The ids in a suite's list: those of its tests that must pass. */
export function pinnedTests(suite: string): string[] {
  return linesOf(`${suite}.txt`);
}

/** Those of Tempest and its plugins that every run of `npm test` has. */
export function testsOfEveryRun(): string[] {
  return linesOf('every-run.txt');
}

/**
 * Why tests of a suite are known not to pass: `[a test, a class of tests or a module of them, the
 * reason]`. A later line is about fewer of them, and takes precedence.
 */
export function knownReasons(suite: string): [string, string][] {
  return linesOf(`${suite}.reasons.txt`).map((line) => {
    const colon = line.indexOf(': ');
    return [line.slice(0, colon), line.slice(colon + 2)];
  });
}

function linesOf(file: string): string[] {
  const text = readFileSync(new URL(`../lists/${file}`, import.meta.url), 'utf8');
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}
