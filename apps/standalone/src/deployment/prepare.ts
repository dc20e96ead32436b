/** The steps of `prepare`. Each may be run again at any time, and does only what lacks. */
import { migrateService } from '@cumulet/common/app/migrate';
import { ServiceClient } from '@cumulet/clients/http/service-client';
import { cloudEntries } from '../cloud-users.js';
import { cloudsYaml } from '../clouds-yaml.js';
import type { Environment } from '../config.js';
import { seedCloud } from '../seed/seed.js';
import { SERVICES } from '../services.js';
import { connectedAdmin, ensureDatabase } from './databases.js';
import type { DeploymentConfig } from './deployment.config.js';
import { DATABASE_ADMIN, drawSecretFiles, readSecretFile, secretFiles } from './secret-files.js';

export interface Preparation {
  readonly config: DeploymentConfig;
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** A line for whoever watches. */
  readonly say: (line: string) => void;
  /** The result itself. */
  readonly print: (text: string) => void;
}

/** A step, by the word that chooses it. @throws Error saying why it cannot be done */
export const STEPS: Readonly<Record<string, (preparation: Preparation) => Promise<void>>> = {
  secrets: drawSecrets,
  databases: prepareDatabases,
  seeds: offerSeeds,
  clouds: printClouds,
};

async function drawSecrets({ config, env, say }: Preparation): Promise<void> {
  const files = secretFiles(SERVICES, config.databaseHost);
  const drawn = await drawSecretFiles(config.secretsDir, files, env);
  say(drawn.length === 0 ? 'All secrets are there.' : `Drew ${drawn.join(', ')}.`);
}

async function prepareDatabases({ config, say }: Preparation): Promise<void> {
  const { secretsDir, databaseHost } = config;
  const password = await readSecretFile(secretsDir, DATABASE_ADMIN);
  const admin = await connectedAdmin(databaseHost, password);
  const urls = new Map<string, string>();
  try {
    for (const { name, settings } of SERVICES) {
      const url = await readSecretFile(secretsDir, settings.databaseUrl.env);
      await ensureDatabase(admin, url);
      urls.set(name, url);
    }
  } finally {
    await admin.end();
  }
  for (const service of SERVICES) await migrateService(service, urls.get(service.name) ?? '');
  say(`The databases of ${SERVICES.map(({ name }) => name).join(', ')} are up to date.`);
}

const READY_MS = 300_000;
const POLL_MS = 500;

async function offerSeeds({ config, signal, say }: Preparation): Promise<void> {
  const { url, secretsDir, seedDir, publicCidr, publicPool } = config;
  await answering(url, signal);
  const seeds = await seedCloud({
    url,
    adminPassword: await readSecretFile(secretsDir, 'IDENTITY_ADMIN_PASSWORD'),
    seedMicro: true,
    guestImageDir: seedDir,
    dataDir: seedDir,
    publicCidr,
    publicPool,
    vipCidr: '',
    dataPlane: undefined,
    say,
    signal,
  });
  const { micro, nodeImages, publicNetwork } = seeds;
  say(`image micro: ${micro.line}`);
  if (nodeImages) say(`images of cluster nodes: ${nodeImages.line}`);
  say(`external network: ${publicNetwork.line}`);
  const isWhole = micro.isThere && publicNetwork.isThere && nodeImages?.isThere !== false;
  if (!isWhole) throw new Error('Not all of it is there; the next run makes up for it.');
}

/** The services that seeds are asked of. */
const SEEDED = ['identity/v3', 'image/versions', 'networking/'];

/** Returns once these services answer. @throws Error if they do not in five minutes */
async function answering(url: string, signal: AbortSignal): Promise<void> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(READY_MS)]);
  for (const path of SEEDED) {
    const client = new ServiceClient({ service: path, baseUrl: url });
    while (!(await client.send({ path: `/${path}` }).catch(() => undefined))) {
      if (within.aborted) throw new Error(`${url}/${path} does not answer`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    await client.close();
  }
}

async function printClouds({ config, env, print }: Preparation): Promise<void> {
  const of = (name: string): Promise<string> => readSecretFile(config.secretsDir, name);
  const secrets = {
    adminPassword: await of('IDENTITY_ADMIN_PASSWORD'),
    demoPassword: await of('IDENTITY_DEMO_PASSWORD'),
    servicePassword: '',
  };
  print(cloudsYaml(cloudEntries(config.publicUrl, secrets, env)));
}
