/** A cloud of a spec's own, and the openstack client as its two users. */
import { afterAll, beforeAll } from '@jest/globals';
import { ComposeCloud } from './compose-cloud.js';
import { OpenStackClient } from './openstack-client.js';
import { RunningCloud } from './running-cloud.js';

const MINUTES = 60_000;

/** `npm run conformance -- compose` runs the acceptance tests against docker-compose.yml. */
const IS_COMPOSED = process.env['CONFORMANCE_CLOUD'] === 'compose';

/** What clouds have in common, however they run. */
export type AnyCloud = Pick<
  RunningCloud,
  'cloudsYaml' | 'url' | 's3Url' | 'guestProcesses' | 'kill' | 'remove'
> & {
  start(): Promise<unknown>;
};

export interface CloudWithUsers<C extends AnyCloud = RunningCloud> {
  readonly cloud: C;
  readonly admin: OpenStackClient;
  readonly demo: OpenStackClient;
}

type Preparation<C extends AnyCloud> = (started: CloudWithUsers<C>) => Promise<void> | void;

type CloudSettings = Readonly<Record<string, string>>;

/**
 * Starts it before the tests of the file, and ends it after them.
 * @param settings of the cloud, from docs/settings.md
 * @param prepare gets it, and makes what the tests begin with
 */
export function withCloud(settings: CloudSettings, prepare: Preparation<RunningCloud>): void {
  withStarted(() => RunningCloud.startAgain(settings), prepare);
}

/** Likewise, with one of containers where the run asks for that, on its own settings. */
export function withAnyCloud(settings: CloudSettings, prepare: Preparation<AnyCloud>): void {
  withStarted<AnyCloud>(
    () => (IS_COMPOSED ? ComposeCloud.start() : RunningCloud.startAgain(settings)),
    prepare,
  );
}

function withStarted<C extends AnyCloud>(start: () => Promise<C>, prepare: Preparation<C>): void {
  let cloud: C | undefined;

  // A first start builds the guest image and installs the client.
  beforeAll(async () => {
    cloud = await start();
    const admin = await OpenStackClient.install(cloud.cloudsYaml, 'cumulet-admin');
    await prepare({ cloud, admin, demo: admin.entry(cloud.cloudsYaml, 'cumulet') });
  }, 20 * MINUTES);

  afterAll(() => cloud?.remove(), 5 * MINUTES);
}
