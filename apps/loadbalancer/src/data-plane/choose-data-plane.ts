/** Chooses what runs load balancers here: what the settings name, or the best that this host has. */
import { availableParallelism } from 'node:os';
import { ChosenDriver } from '@cumulet/common/service/chosen-driver';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { LoadBalancerConfig } from '../config.js';
import { DATA_PLANE, type DataPlane } from './data-plane.js';
import { HaproxyDataPlane } from './haproxy/haproxy-data-plane.js';
import {
  findAccounts,
  findProxyPrograms,
  type ProxyPrograms,
} from './haproxy/process/command-line.js';
import { SimulatedDataPlane } from './simulated-data-plane.js';

/** The data plane of this host, and the reason for it. */
export class ChosenDataPlane extends ChosenDriver<DataPlane> {
  constructor(driver: DataPlane, reason: string) {
    super('load balancers', driver, reason);
  }
}

/** HAProxy is asked for and cannot run. */
export class HaproxyMissingError extends Error {
  override readonly name = 'HaproxyMissingError';
}

type DataPlaneSettings = Pick<
  LoadBalancerConfig,
  'dataPlane' | 'dataDir' | 'searchPath' | 'maxConnections'
> & {
  /** Tells agents of one cloud from those of another. */
  readonly databaseUrl?: string;
};

/** Per HAProxy. Most need some ten MiB; with TLS, a connection takes up to 100 KiB. */
const MEMORY_BYTES = 2 * 1024 ** 3;
const MAX_THREADS = 4;

/** Debian has programs there that the search path of users lacks. */
const SYSTEM_FOLDERS = '/usr/sbin:/sbin';

/** @throws HaproxyMissingError if HAProxy is asked for and its programs are missing */
export async function chooseDataPlane(
  settings: DataPlaneSettings,
  systemFolders = SYSTEM_FOLDERS,
): Promise<ChosenDataPlane> {
  if (settings.dataPlane === 'simulated') return simulated('the settings ask for it');
  const programs = await findProxyPrograms(`${settings.searchPath}:${systemFolders}`);
  if (!('missing' in programs)) return haproxy(settings, programs);
  const why = `${programs.missing.join(', ')} not found`;
  if (settings.dataPlane === 'haproxy') throw new HaproxyMissingError(`HAProxy cannot run: ${why}`);
  return simulated(why);
}

async function haproxy(
  { dataDir, maxConnections, databaseUrl }: DataPlaneSettings,
  programs: ProxyPrograms,
): Promise<ChosenDataPlane> {
  const accountOf = await findAccounts();
  const options = {
    programs,
    accountOf,
    maxConnections,
    memoryBytes: MEMORY_BYTES,
    threads: Math.min(availableParallelism(), MAX_THREADS),
  };
  const driver = new HaproxyDataPlane(dataDir, options, databaseUrl);
  const whose = accountOf('') ? 'a user of its own' : 'the user of this service';
  const reason = `HAProxy, one for each load balancer, as ${whose}, in ${driver.root}`;
  return new ChosenDataPlane(driver, reason);
}

function simulated(why: string): ChosenDataPlane {
  const reason = `simulated, nothing is carried (${why})`;
  return new ChosenDataPlane(new SimulatedDataPlane(), reason);
}

/** A process that only answers requests has none. */
function dataPlaneOf(config: LoadBalancerConfig): Promise<ChosenDataPlane> | undefined {
  return config.role === 'api' ? undefined : chooseDataPlane(config);
}

@Feature({
  providers: [
    { provide: ChosenDataPlane, inject: [CONFIG], useFactory: dataPlaneOf },
    {
      provide: DATA_PLANE,
      inject: [ChosenDataPlane],
      useFactory: (chosen?: ChosenDataPlane) => chosen?.driver,
    },
  ],
})
export class DataPlaneModule {}
