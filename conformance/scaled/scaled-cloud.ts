/**
 * A cloud of many processes behind its ingress: those of docker-compose.yml, some of them several times,
 * with data planes that are simulations. Each process has an address of the loopback; names have those of
 * all processes of a service, as in Docker.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startCluster, type Cluster } from '@cumulet/embedded-postgres/cluster';
import { IngressProcess } from '@cumulet/testing/ingress-process';
import { NameServer } from '@cumulet/testing/name-server';
import { composed, type Environment } from './composed.js';
import { OWN, ServiceProcess } from './service-process.js';

interface Scaled {
  /** Of docker-compose.yml, and so the name that its processes have, if they answer requests. */
  readonly container: string;
  readonly app: string;
  readonly port: number;
  readonly processes: number;
  /** Of settings that say where it listens. */
  readonly prefix: string;
}

function of(container: string, port: number, processes = 2, app = container): Scaled {
  return { container, app, port, processes, prefix: app.toUpperCase() };
}

const SCALED: readonly Scaled[] = [
  of('identity', 5000),
  of('images', 9292),
  of('network', 9696),
  of('secrets', 9311),
  of('loadbalancer', 9876),
  of('orchestration', 8004),
  of('clusters', 9511),
  of('s3', 9000),
  of('compute-api', 8774, 3, 'compute'),
  of('compute-agent', 8774, 2, 'compute'),
];

/** Nothing real behind it, and room for as much as is asked for. */
const SIMULATED: Environment = {
  COMPUTE_HYPERVISOR: 'simulated',
  NETWORK_DATA_PLANE: 'simulated',
  // Not reached, and earlier releases take no names here.
  NETWORK_OVN_NORTHBOUND: '',
  NETWORK_OVN_SOUTHBOUND: '',
  LOADBALANCER_DATA_PLANE: 'simulated',
  CLUSTERS_ENGINE: 'simulated',
  IMAGES_QUOTA_COUNT: '-1',
  IMAGES_QUOTA_UPLOADS: '-1',
  COMPUTE_QUOTA_INSTANCES: '-1',
  COMPUTE_QUOTA_CORES: '-1',
  COMPUTE_QUOTA_RAM_MB: '-1',
  NETWORK_QUOTA_SECURITY_GROUPS: '-1',
  COMPUTE_RAM_ALLOCATION_RATIO: '128',
  COMPUTE_CPU_ALLOCATION_RATIO: '128',
  IDENTITY_PASSWORD_MEMORY: '8',
  IDENTITY_PASSWORD_PASSES: '1',
  CUMULET_TRUSTED_PROXIES: '127.0.0.0/8',
};

/** Every process may use its whole pool. */
const CONNECTIONS = 500;

export class ScaledCloud {
  private constructor(
    readonly folder: string,
    readonly ingress: IngressProcess,
    readonly processes: readonly ServiceProcess[],
    private readonly names: NameServer,
    private postgres: Cluster,
  ) {}

  static async start(): Promise<ScaledCloud> {
    const folder = await mkdtemp(join(tmpdir(), 'cumulet-scaled-'));
    for (const name of ['secrets', 'logs']) await mkdir(join(folder, name));
    const postgres = await startCluster(clusterIn(folder));
    const names = await NameServer.start();
    // Others may run such a cloud, too.
    const net = `127.${randomInt(16, 250)}`;
    const ingress = await IngressProcess.start(`${net}.0.1`, names.address);
    const cloud = new ScaledCloud(
      folder,
      ingress,
      await processesIn(folder, net, postgres, names),
      names,
      postgres,
    );
    try {
      // The others would only wait for it.
      const identity = cloud.processes.filter(({ name }) => name.startsWith('identity'));
      for (const some of [identity, cloud.processes.filter((one) => !identity.includes(one))]) {
        for (const one of some) one.launch();
        await Promise.all(some.map((one) => one.ready()));
      }
    } catch (error) {
      await cloud.remove();
      throw error;
    }
    return cloud;
  }

  get url(): string {
    return `http://${this.ingress.host}:8080`;
  }

  get s3Url(): string {
    return `http://${this.ingress.host}:9000`;
  }

  get cloudsYaml(): string {
    return join(this.folder, 'clouds.yaml');
  }

  /** @returns milliseconds from its return until every process was ready */
  async restartPostgres(): Promise<number> {
    await this.postgres.stop();
    this.postgres = await startCluster(clusterIn(this.folder));
    const back = performance.now();
    await Promise.all(this.processes.map((one) => one.ready()));
    return performance.now() - back;
  }

  /** The data of images, and what hosts keep of guests. */
  async leftovers(): Promise<string[]> {
    const files = await readdir(this.folder, { recursive: true });
    return files.filter((path) => /^images\/objects\/.*\w{20}|\/simulated\/guests\/./.test(path));
  }

  async remove(): Promise<void> {
    await Promise.all(this.processes.map((one) => one.end('SIGKILL')));
    await this.ingress.stop();
    this.names.stop();
    await this.postgres.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function clusterIn(folder: string): Parameters<typeof startCluster>[0] {
  return {
    folder: join(folder, 'postgres'),
    durable: true,
    connections: CONNECTIONS,
    log: () => undefined,
  };
}

async function processesIn(
  folder: string,
  net: string,
  postgres: Cluster,
  names: NameServer,
): Promise<ServiceProcess[]> {
  const secrets = join(folder, 'secrets');
  const [url, s3Url] = [`http://${net}.0.1:8080`, `http://${net}.0.1:9000`];
  await prepare(folder, postgres, url);
  const environmentOf = await composed(secrets, { CUMULET_PUBLIC_URL: url, S3_PUBLIC_URL: s3Url });
  const processes = SCALED.map(async (scaled, row) => {
    const { container, app, port, prefix } = scaled;
    const addresses = Array.from(
      { length: scaled.processes },
      (_, n) => `${net}.${row + 1}.${n + 1}`,
    );
    names.names.set(container, addresses);
    const env = await environmentOf(container);
    return addresses.map((address, index) => {
      const name = `${container}-${index + 1}`;
      const own: Environment = {
        [`${prefix}_LISTEN_HOST`]: address,
        CUMULET_HOST: name,
        CUMULET_LOG_LEVEL: 'warn',
        CUMULET_NAMESERVER: names.address,
        COMPUTE_DATA_DIR: join(folder, name),
        COMPUTE_HOST_API_URL: `http://${address}:${port}`,
        LOADBALANCER_DATA_DIR: join(folder, name),
        NETWORK_DATA_DIR: join(folder, name),
        IMAGES_STORE_FOLDER: join(folder, 'images'),
        IMAGES_IMPORT_FOLDER: join(folder, 'images', 'import'),
        S3_STORE_FOLDER: join(folder, 's3'),
      };
      const { CUMULET_METRICS_PORT: _, ...given } = env;
      // An agent does an API's work at a host of its own; here the network and the balancers have none.
      const role: Environment = container === 'loadbalancer' ? { CUMULET_ROLE: 'all' } : {};
      return new ServiceProcess({
        name,
        app,
        probe: `http://${address}:${port}${app === 's3' ? '/-' : ''}/readyz`,
        env: { ...given, ...SIMULATED, ...own, ...role },
        log: join(folder, 'logs', name),
      });
    });
  });
  return (await Promise.all(processes)).flat();
}

/** As docker-compose.yml does before any service starts. */
async function prepare(folder: string, postgres: Cluster, url: string): Promise<void> {
  const password = 'of the administrator';
  const client = new pg.Client(postgres.url('postgres'));
  await client.connect();
  await client.query(
    `CREATE ROLE postgres SUPERUSER LOGIN PASSWORD ${client.escapeLiteral(password)}`,
  );
  await client.end();
  const env = {
    POSTGRES_PASSWORD: password,
    CUMULET_SECRETS_DIR: join(folder, 'secrets'),
    CUMULET_DATABASE_HOST: `127.0.0.1:${postgres.port}`,
    CUMULET_PUBLIC_URL: url,
  };
  await step('secrets', env);
  await step('databases', env);
  await writeFile(join(folder, 'clouds.yaml'), await step('clouds', env));
}

async function step(name: string, env: Environment): Promise<string> {
  const program = join(OWN, 'apps/standalone/dist/deployment/main.js');
  const child = spawn(process.execPath, [program, name], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [printed, said] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${name}: ${said}`);
  return printed;
}
