/**
 * First resources of a new cloud, created through its own APIs by its administrator: an image to
 * boot and a network to reach. The cloud works without them.
 */
import { asBearer, type Actor } from '@cumulet/clients/http/actor';
import { ServiceClient } from '@cumulet/clients/http/service-client';
import { seedMicro, type MicroOptions } from './micro.js';
import { seedNodeImages } from './node-images.js';
import { seedPublicNetwork, hasNoSwitch, seedVipNetwork } from './networks.js';

export interface SeedOptions extends MicroOptions {
  /** The cloud's address on this machine. */
  readonly url: string;
  readonly adminPassword: string;
  readonly seedMicro: boolean;
  /** Empty: no external network. */
  readonly publicCidr: string;
  /** `first-last` address that the subnet may give; all by default. */
  readonly publicPool?: string | undefined;
  /** CIDR of load balancers on the machine itself; empty for none. */
  readonly vipCidr: string;
  /** The data plane, as the start-up lines name it. */
  readonly dataPlane: string | undefined;
}

export interface Seeded {
  readonly isThere: boolean;
  /** A start-up line: what was seeded, or why nothing was. */
  readonly line: string;
}

export interface Seeds {
  readonly micro: Seeded;
  /** Absent where no image of nodes of clusters was built. */
  readonly nodeImages?: Seeded;
  readonly publicNetwork: Seeded;
  /** Absent where load balancers have addresses on networks. */
  readonly vipNetwork?: Seeded;
}

export async function seedCloud(options: SeedOptions): Promise<Seeds> {
  const { url, publicCidr, publicPool, vipCidr } = options;
  const client = (service: string, path: string): ServiceClient =>
    new ServiceClient({ service, baseUrl: `${url}/${path}` });
  const identity = client('identity', 'identity');
  const images = client('images', 'image');
  const network = client('network', 'networking');
  try {
    let login: Promise<Actor> | undefined;
    const admin = (): Promise<Actor> => (login ??= loggedIn(identity, options.adminPassword));
    const hasVips = vipCidr !== '' && hasNoSwitch(options.dataPlane);
    const [micro, nodeImages, publicNetwork, vipNetwork] = await Promise.all([
      options.seedMicro
        ? seeded(async () => seedMicro(images, await admin(), options))
        : { isThere: false, line: 'not asked for (CUMULET_SEED_MICRO=false)' },
      seededIfAny(() => seedNodeImages(images, admin, options.dataDir)),
      publicCidr === ''
        ? { isThere: false, line: 'none is asked for (CUMULET_PUBLIC_CIDR is empty)' }
        : seeded(async () => seedPublicNetwork(network, await admin(), publicCidr, publicPool)),
      hasVips
        ? seeded(async () => seedVipNetwork({ identity, network }, await admin(), vipCidr))
        : undefined,
    ]);
    return {
      micro,
      ...(nodeImages && { nodeImages }),
      publicNetwork,
      ...(vipNetwork && { vipNetwork }),
    };
  } finally {
    await Promise.all([identity, images, network].map((one) => one.close()));
  }
}

async function seeded(seed: () => Promise<string>): Promise<Seeded> {
  try {
    return { isThere: true, line: await seed() };
  } catch (error) {
    return notThere(error);
  }
}

/** Undefined if there is nothing to seed. */
async function seededIfAny(seed: () => Promise<string | undefined>): Promise<Seeded | undefined> {
  try {
    const line = await seed();
    return line === undefined ? undefined : { isThere: true, line };
  } catch (error) {
    return notThere(error);
  }
}

function notThere(error: unknown): Seeded {
  return { isThere: false, line: `not there: ${firstLine(error)}` };
}

async function loggedIn(identity: ServiceClient, password: string): Promise<Actor> {
  const domain = { id: 'default' };
  const { headers } = await identity.send({
    method: 'POST',
    path: '/v3/auth/tokens',
    json: {
      auth: {
        identity: {
          methods: ['password'],
          password: { user: { name: 'admin', domain, password } },
        },
        scope: { project: { name: 'admin', domain } },
      },
    },
  });
  return asBearer(String(headers['x-subject-token']));
}

/** A program's own message is on its standard error; the exception's only repeats the command. */
function firstLine(error: unknown): string {
  const { stderr, message } = error as Error & { stderr?: string };
  const text = stderr !== undefined && stderr.trim() !== '' ? stderr : message;
  return text.trim().split('\n').at(-1) ?? text;
}
