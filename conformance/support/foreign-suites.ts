/** How the whole of a foreign suite is run, each against a cloud of its own. */
import { CatalogSession } from './catalog-session.js';
import { readCloudEntry } from './cloud-entry.js';
import { PythonEnvironment } from './python-environment.js';
import { RunningCloud } from './running-cloud.js';
import { SIMULATED_CLOUD } from './simulated-cloud.js';
import { MINIO_GO_TITLE, testMinioGo } from './minio-go.js';
import { RCLONE_TITLE, testRclone } from './rclone.js';
import { newS3Account, type S3Account } from './s3-accounts.js';
import { LIFECYCLE_DAY_SECONDS, S3Tests } from './s3-tests.js';
import type { SuiteRun } from './suite-report.js';
import {
  knownReasons,
  pinnedTests,
  SUITES,
  TEMPEST_CLOUD,
  TEMPEST_CONF,
  TEMPEST_USERS,
} from './suites.js';
import { Tempest } from './tempest.js';
import { testTerraform, TERRAFORM_TITLE } from './terraform-suite.js';
import { BEHIND_INGRESS } from './tls-ingress.js';

/** By name. A suite prints its output, for what a report does not show. */
export const FOREIGN_SUITES: Readonly<Record<string, () => Promise<SuiteRun>>> = {
  ...Object.fromEntries(Object.keys(SUITES).map((name) => [name, () => runTempest(name)])),
  's3-tests': runS3Tests,
  'minio-go': () => runOfAccount('minio-go', MINIO_GO_TITLE, testMinioGo),
  rclone: () => runOfAccount('rclone', RCLONE_TITLE, testRclone),
  terraform: runTerraform,
};

/** Names of buckets are shared, as Amazon's are, and a lifecycle's days are short. */
const S3_CLOUD = {
  ...SIMULATED_CLOUD,
  S3_BUCKET_NAMESPACE: 'global',
  S3_LIFECYCLE_DAY_SECONDS: String(LIFECYCLE_DAY_SECONDS),
};

async function runTempest(name: string): Promise<SuiteRun> {
  const suite = SUITES[name];
  if (!suite) throw new Error(`there is no suite ${name}`);
  const cloud = await RunningCloud.start(TEMPEST_CLOUD);
  try {
    const tempest = await Tempest.install(cloud.cloudsYaml, TEMPEST_USERS, TEMPEST_CONF);
    try {
      const title = `${suite.title} ${await tempest.version(suite.package)}`;
      const results = await tempest.runMatching(suite.tests);
      console.log(tempest.output);
      return { ...described(name, title), pinned: pinnedTests(name), results };
    } finally {
      await tempest.remove();
    }
  } finally {
    await cloud.remove();
  }
}

async function runS3Tests(): Promise<SuiteRun> {
  const name = 's3-tests';
  const cloud = await RunningCloud.start(S3_CLOUD);
  try {
    const python = await PythonEnvironment.install('tempest');
    const entry = await readCloudEntry(python, cloud.cloudsYaml, 'cumulet-admin');
    const admin = await CatalogSession.open(entry);
    const account = (of: string) => newS3Account(admin, `s3-tests-${of}`);
    const accounts = {
      main: await account('main'),
      alt: await account('alt'),
      tenant: await account('tenant'),
    };
    const tests = await S3Tests.install(cloud.s3Port, accounts);
    try {
      const ids = pinnedTests(name);
      const ran = await tests.run(ids);
      console.log(tests.output);
      const results = new Map(ids.map((id) => [id, ran.get(id) ?? 'did not run']));
      return { ...described(name, "those of Ceph's tests of S3 that any store passes"), results };
    } finally {
      await tests.remove();
    }
  } finally {
    await cloud.remove();
  }
}

/** What one user of S3 can do: a client's own tests. */
async function runOfAccount(
  name: string,
  title: string,
  test: (port: number, account: S3Account) => Promise<ReadonlyMap<string, string>>,
): Promise<SuiteRun> {
  const cloud = await RunningCloud.start({ ...S3_CLOUD, ...BEHIND_INGRESS });
  try {
    const python = await PythonEnvironment.install('openstack-client');
    const entry = await readCloudEntry(python, cloud.cloudsYaml, 'cumulet-admin');
    const account = await newS3Account(await CatalogSession.open(entry), name);
    return { ...described(name, title), results: await test(cloud.s3Port, account) };
  } finally {
    await cloud.remove();
  }
}

async function runTerraform(): Promise<SuiteRun> {
  const cloud = await RunningCloud.start(SIMULATED_CLOUD);
  try {
    const python = await PythonEnvironment.install('openstack-client');
    const entry = await readCloudEntry(python, cloud.cloudsYaml, 'cumulet-admin');
    return { ...described('terraform', TERRAFORM_TITLE), results: await testTerraform(entry) };
  } finally {
    await cloud.remove();
  }
}

function described(suite: string, title: string): Omit<SuiteRun, 'results'> {
  const date = new Date().toISOString().slice(0, 10);
  return { suite, title, date, pinned: [], reasons: knownReasons(suite) };
}
