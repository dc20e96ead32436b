/** A cloud of a spec's own, and the openstack client as its two users. */
import { afterAll, beforeAll } from '@jest/globals';
import { OpenStackClient } from './openstack-client.js';
import { RunningCloud } from './running-cloud.js';

const MINUTES = 60_000;

export interface CloudWithUsers {
  readonly cloud: RunningCloud;
  readonly admin: OpenStackClient;
  readonly demo: OpenStackClient;
}

/**
 * Starts it before the tests of the file, and ends it after them.
 * @param settings of the cloud, from docs/settings.md
 * @param prepare gets it, and makes what the tests begin with
 */
export function withCloud(
  settings: Readonly<Record<string, string>>,
  prepare: (started: CloudWithUsers) => Promise<void> | void,
): void {
  let cloud: RunningCloud | undefined;

  // A first start builds the guest image and installs the client.
  beforeAll(async () => {
    cloud = await RunningCloud.startAgain(settings);
    const admin = await OpenStackClient.install(cloud.cloudsYaml, 'cumulet-admin');
    await prepare({ cloud, admin, demo: admin.entry(cloud.cloudsYaml, 'cumulet') });
  }, 12 * MINUTES);

  afterAll(() => cloud?.remove(), 5 * MINUTES);
}
