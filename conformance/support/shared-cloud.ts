/**
 * One cloud for all specs of a run that need none of their own: nothing in it runs, stacks and
 * clusters among them. with-project.ts gives each spec a part of it.
 */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CatalogSession } from './catalog-session.js';
import { uploadNodeImage } from './cloud-clusters.js';
import { readCloudEntry, type CloudEntry } from './cloud-entry.js';
import { oncePerRun, pathInRun } from './once-per-run.js';
import { PythonEnvironment } from './python-environment.js';
import { RunningCloud, type CloudRecord } from './running-cloud.js';
import { SIMULATED_CLOUD } from './simulated-cloud.js';

const SETTINGS = {
  ...SIMULATED_CLOUD,
  CUMULET_SEED_MICRO: 'true',
  // Clusters say soon how they are.
  CLUSTERS_HEALTH_SECONDS: '1',
};

/** The folder of a run in which the cloud is described, and the file in it. */
const NAME = 'shared-cloud';
const RECORD = 'cloud.json';

/** Started by the first spec that asks for it, with an image of cluster nodes. */
export async function sharedCloud(): Promise<RunningCloud> {
  const folder = await oncePerRun(NAME, async (making) => {
    const cloud = await RunningCloud.startAgain(SETTINGS);
    try {
      await uploadNodeImage(await CatalogSession.open(await administrator(cloud)));
      await writeFile(join(making, RECORD), JSON.stringify(cloud.leave()));
    } catch (error) {
      await cloud.remove();
      throw error;
    }
  });
  return RunningCloud.attach(await readRecord(join(folder, RECORD)));
}

/** At the end of the run. */
export async function removeSharedCloud(): Promise<void> {
  const path = join(pathInRun(NAME), RECORD);
  if (existsSync(path)) await RunningCloud.attach(await readRecord(path)).remove();
}

async function readRecord(path: string): Promise<CloudRecord> {
  return JSON.parse(await readFile(path, 'utf8')) as CloudRecord;
}

export async function administrator({ cloudsYaml }: RunningCloud): Promise<CloudEntry> {
  const python = await PythonEnvironment.install('openstack-client');
  return readCloudEntry(python, cloudsYaml, 'cumulet-admin');
}
