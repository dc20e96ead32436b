/** Servers in a database and guests on a simulated host, without API and worker. */
import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { asId } from '@cumulet/common/context/ids';
import { asService } from '@cumulet/clients/http/actor';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Seal } from '@cumulet/common/crypto/seal';
import { newRequestId } from '@cumulet/common/context/request-id';
import { createTestDatabase } from '@cumulet/testing/database';
import { newId } from '@cumulet/testing/test-tokens';
import { testComputeConfig } from '../compute.fixture.js';
import type { ComputeConfig } from '../config.js';
import { HostAgent } from '../host-agent/host-agent.js';
import { HostRepository } from '../hosts/host.repository.js';
import type { HypervisorDriver } from '../hypervisor/hypervisor-driver.js';
import { SimulatedHypervisor } from '../hypervisor/simulated-hypervisor.js';
import { FakeImages } from '../images.fixture.js';
import { FakeNetworks } from '../networks.fixture.js';
import { NicPortsService } from '../nics/nic-ports.service.js';
import { NicRepository } from '../nics/nic.repository.js';
import { RequestedNicsService } from '../nics/nic-requests.service.js';
import { ServerNicsService } from '../nics/server-nics.service.js';
import { Placement } from '../scheduler/placement.js';
import { guestSpecOf } from '../server-plans/server-phases.js';
import { ServerResizes } from '../server-plans/server-resizes.js';
import type { Server } from './server.entity.js';
import { ServerReconciler } from '../server-plans/server.reconciler.js';
import { ServerRepository } from './server.repository.js';
import type { ServerState } from './server.states.js';
import { computeService } from '../service.js';

export interface ServerWorld {
  readonly dataSource: DataSource;
  readonly ctx: RequestContext;
  readonly hypervisor: SimulatedHypervisor;
  readonly servers: ServerRepository;
  readonly networks: FakeNetworks;
  readonly nics: NicRepository;
  readonly images: FakeImages;
  readonly reconciler: ServerReconciler;
  /** The reconciler of another host's worker. */
  reconcilerOf(host: string, driver: HypervisorDriver): ServerReconciler;
  /** A host agent of a compute that has just started. */
  agent(config?: Partial<ComputeConfig>): HostAgent;
  /** Inserts a server; a placed one has claimed its room on the host. */
  insert(state: ServerState, values?: Partial<Server>): Promise<string>;
  /** Begins a server's resize to two processors, 1,024 MiB and 2 GB. */
  resize(id: string): Promise<void>;
  /** Inserts a requested NIC of a server. @returns the server's ID */
  insertNic(server: string): Promise<string>;
  /** Inserts a server with a running guest. */
  insertRunning(state: ServerState, values?: Partial<Server>): Promise<string>;
  read(id: string): Promise<Server | undefined>;
  stop(): Promise<void>;
}

export async function startServerWorld(): Promise<ServerWorld> {
  const database = await createTestDatabase(computeService);
  const dataSource = await computeService.dataSource(database.url).initialize();
  const ctx = RequestContext.system(newRequestId(), dataSource.manager);
  const config = testComputeConfig(database.url);
  const seal = new Seal(config.secretKey);
  const [servers, hosts, images] = [new ServerRepository(), new HostRepository(), new FakeImages()];
  const hypervisor = new SimulatedHypervisor();
  const placement = new Placement(hosts, config);
  const networks = new FakeNetworks();
  const nicRows = new NicRepository();
  const nics = new ServerNicsService(
    nicRows,
    new RequestedNicsService(networks),
    new NicPortsService(nicRows, networks),
  );
  const reconcilerOf = (host: string, driver: HypervisorDriver): ServerReconciler =>
    new ServerReconciler(servers, placement, driver, images, nics, seal, { ...config, host });
  const reconciler = reconcilerOf(config.host, hypervisor);
  const agent = (changes: Partial<ComputeConfig> = {}): HostAgent =>
    new HostAgent(hosts, servers, hypervisor, { ...config, ...changes });
  await agent().report(ctx);
  // Nothing reports again, however long the tests take.
  await dataSource.query("UPDATE hosts SET seen_at = now() + interval '1 day'");
  const facts = await images.find(asService(ctx), images.bootable);

  const insert = async (state: ServerState, values: Partial<Server> = {}): Promise<string> => {
    const id = randomUUID();
    const row = {
      ...COLUMNS,
      id,
      projectId: asId(newId()),
      state,
      host: state === 'scheduling' ? null : config.host,
      imageId: images.bootable,
      image: { id: images.bootable, diskFormat: 'raw', sizeBytes: 512, sha512: facts?.sha512 },
      stateDeadline: reconciler.plans[state] ? new Date(Date.now() + 300_000) : null,
      adminPassword: seal.seal('horse'),
      ...values,
    };
    await servers.insert(ctx, row as unknown as Server);
    return id;
  };
  const read = (id: string): Promise<Server | undefined> => servers.find(ctx, id);
  return {
    dataSource,
    ctx,
    hypervisor,
    servers,
    networks,
    nics: nicRows,
    images,
    reconciler,
    reconcilerOf,
    agent,
    insert,
    async insertNic(server) {
      const { id: networkId } = networks.add();
      const wanted = { networkId, portId: null, address: null, groupIds: null, tag: null };
      await nicRows.insertRequested(ctx, { id: asId(server) }, [wanted]);
      return server;
    },
    async insertRunning(state, values) {
      const id = await insert(state, values);
      const server = await read(id);
      if (!server) throw new Error('the server is gone');
      const guest = guestSpecOf(server, await nics.ofGuest(ctx, server), seal);
      await hypervisor.images.putBaseImage(guest.image, () =>
        images.download(asService(ctx), images.bootable),
      );
      await hypervisor.disks.ensureDisk(guest);
      await hypervisor.machines.ensureRunning(guest);
      return id;
    },
    async resize(id) {
      const flavor = { id: '9', name: 'm1.other', extraSpecs: {} };
      const size = { vcpus: 2, memoryMb: 1024, diskGb: 2 };
      const server = await read(id);
      if (!server) throw new Error('the server is gone');
      await new ServerResizes().begin(ctx, server, { flavor, ...size, localDisks: [] });
    },
    read,
    async stop() {
      await dataSource.destroy();
      await database.drop();
    },
  };
}

const COLUMNS = {
  userId: asId('user'),
  name: 'web',
  hostname: 'web',
  description: null,
  flavor: { id: '1', name: 'm1.tiny' },
  vcpus: 1,
  memoryMb: 512,
  diskGb: 1,
  nic: 'none',
  metadata: {},
  tags: [],
  userData: null,
  configDrive: false,
  reservationId: 'r-1',
  launchIndex: 0,
} as const;
