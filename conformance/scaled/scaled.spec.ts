/**
 * A cloud of 21 processes behind its ingress, under load: each is killed and comes back, each is replaced by
 * the release before and again by this one, and Postgres starts again. `npm run conformance -- scaled`.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootable } from '../chaos/bootable-image.js';
import { KINDS, rowsOf, type Facts, type Row } from '../chaos/kinds.js';
import { nothingKnown, operate, remove, type Known } from '../chaos/work.js';
import { eventually } from '../support/eventually.js';
import { ingressLines, type IngressLine } from './ingress-lines.js';
import { ScaledCloud } from './scaled-cloud.js';
import { MORE_KINDS, otherLists } from './more-kinds.js';
import { Objects } from './objects.js';
import { StockClient, type Sent } from './stock-client.js';
import { OWN, type ServiceProcess } from './service-process.js';

const HOUR = 3_600_000;
const SETTLED_MS = 120_000;
const CLIENTS = 3;
/** A part of the processes is enough to try a change: `SCALED_PROCESSES='identity|compute-api'`. */
const CHOSEN = new RegExp(process.env['SCALED_PROCESSES'] ?? '');
/** The checkout that scripts/conformance.mjs has built. */
const BEFORE = process.env['CONFORMANCE_RELEASE_BEFORE'] ?? '';
const ALL_KINDS = [...KINDS, ...MORE_KINDS];

/** Jest keeps what is logged until the end. */
function say(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

describe('a scaled cloud', () => {
  const knowns = Array.from({ length: CLIENTS }, nothingKnown);
  let cloud: ScaledCloud;
  let client: StockClient;
  let facts: Facts;
  let isWorking = true;
  let working: Promise<unknown>;
  let objects: Objects;

  beforeAll(async () => {
    cloud = await ScaledCloud.start();
    client = new StockClient(cloud);
    await client.logIn();
    const owner = { user: { name: 'owner', password: 'of credentials' } };
    const user = await client.send('POST', '/identity/v3/users', { as: 'admin', json: owner });
    facts = {
      imageId: await bootable(client),
      userId: (user.body as { user: { id: string } }).user.id,
    };
    const image = await client.send('GET', `/image/v2/images/${facts.imageId}`);
    const { owner: project } = image.body as { owner: string };
    objects = await Objects.make(client, cloud.s3Url, project);
    working = Promise.all([...knowns.map(works), worksOnObjects(), reads(project)]);
  }, HOUR);
  afterAll(async () => {
    isWorking = false;
    await working;
    objects.end();
    await cloud.remove();
  }, HOUR);

  async function works(known: Known): Promise<void> {
    while (isWorking) if (!(await operate(client, known, facts, ALL_KINDS))) await client.reach();
  }
  /** Of services that the operations do not reach. */
  async function reads(project: string): Promise<void> {
    while (isWorking) for (const path of otherLists(project)) await client.send('GET', path);
  }
  async function worksOnObjects(): Promise<void> {
    while (isWorking) await objects.work();
  }

  /** @returns what failed at clients meanwhile, and what the ingress logged of failures */
  async function during(
    phase: string,
    body: () => Promise<void>,
  ): Promise<{ failed: (Sent | string)[]; lines: IngressLine[] }> {
    client.phase = phase;
    const logged = cloud.ingress.log.length;
    // Before the end of all, the work ends by failing.
    await Promise.race([body(), working]);
    const ofObjects = objects.takeFailed();
    const requests = client.failed(phase);
    const failed = [...requests, ...ofObjects];
    const lines = ingressLines(cloud.ingress.log.slice(logged));
    say(
      `${phase}: ${client.summary(phase)}; failed at clients: ${failed.length}; failures at the ingress: ${lines.length}`,
      ...ofObjects.map((text) => `  S3 client ${text}`),
      ...requests.map(
        ({ request, status, body: said }) =>
          `  client ${status} ${request} ${JSON.stringify(said)}`,
      ),
      ...lines.map(({ text }) => `  ingress ${text}`),
    );
    return { failed, lines };
  }

  const chosen = (): ServiceProcess[] => cloud.processes.filter(({ name }) => CHOSEN.test(name));

  /** Enough for a few operations of each kind. */
  async function someWork(): Promise<void> {
    const before = client.sent.length;
    await eventually('work', SETTLED_MS, () =>
      Promise.resolve(client.sent.length > before + 60 || undefined),
    );
  }

  const replaced = (checkout: string) => async (): Promise<void> => {
    for (const one of chosen()) {
      expect([one.name, await one.end('SIGTERM')]).toEqual([one.name, 0]);
      one.launch(checkout);
      await one.ready();
      await someWork();
    }
  };

  it(
    'serves without a failure while nothing happens to it',
    async () => {
      const { failed, lines } = await during('quiet', async () => {
        for (let rounds = 0; rounds < 5; rounds += 1) await someWork();
      });
      expect({ failed, lines }).toEqual({ failed: [], lines: [] });
    },
    HOUR,
  );

  it(
    'fails no request but those that a killed process held in flight',
    async () => {
      const { lines } = await during('killed', async () => {
        for (const one of chosen()) {
          await one.end('SIGKILL');
          await someWork();
          one.launch();
          await one.ready();
        }
      });
      expect(lines.filter(({ isCutOff }) => !isCutOff)).toEqual([]);
    },
    HOUR,
  );

  it(
    'fails no request while each process is replaced by the release before',
    async () => {
      const { failed, lines } = await during('back to the release before', replaced(BEFORE));
      expect({ failed, lines }).toEqual({ failed: [], lines: [] });
    },
    HOUR,
  );

  it(
    'fails no request that clients do not repeat while each is replaced by this release',
    async () => {
      const { failed } = await during('forward to this release', replaced(OWN));
      expect(failed).toEqual([]);
    },
    HOUR,
  );

  it(
    'is ready again after a restart of Postgres',
    async () => {
      await during('Postgres restarted', async () => {
        const ms = await cloud.restartPostgres();
        say(`every process was ready ${(ms / 1_000).toFixed(1)} s after Postgres`);
        await someWork();
      });
      client.phase = 'afterwards';
    },
    HOUR,
  );

  /** Every row of the run by id; undefined while the cloud does not answer. */
  const rows = async (): Promise<Map<string, Row> | undefined> => {
    const lists = await Promise.all(ALL_KINDS.map((kind) => rowsOf(client, kind)));
    if (lists.some((list) => list === undefined)) return undefined;
    return new Map(lists.flatMap((list) => list ?? []).map((row) => [row.id, row]));
  };
  const all = <T>(pick: (known: Known) => Iterable<T>): T[] =>
    knowns.flatMap((known) => [...pick(known)]);

  it(
    'has nothing stuck, and has lost nothing',
    async () => {
      isWorking = false;
      await working;
      let waitedFor: readonly unknown[] = [];
      const found = await eventually('everything settled', SETTLED_MS, async () => {
        const now = await rows();
        if (!now) return undefined;
        const kinds = new Map(all(({ there }) => there));
        const gone = new Set(all((known) => known.gone));
        waitedFor = [...now.values()].filter(
          (row) => gone.has(row.id) || kinds.get(row.id)?.isSettled(row) === false,
        );
        return waitedFor.length === 0 ? now : undefined;
      }).catch((error: unknown) => {
        throw new Error(`These did not settle: ${JSON.stringify(waitedFor)}`, { cause: error });
      });
      expect(all(({ there }) => there.keys()).filter((id) => !found.has(id))).toEqual([]);
      const unanswered = new Set(all((known) => known.unanswered));
      const known = new Set([...all(({ there }) => there.keys()), ...all((one) => one.leaving)]);
      const unknown = [...found.values()].filter(({ id }) => !known.has(id));
      expect(unknown.filter(({ name }) => !unanswered.has(name))).toEqual([]);
    },
    HOUR,
  );

  it(
    'leaves nothing of what is deleted',
    async () => {
      for (const kind of ALL_KINDS)
        for (const { id } of (await rowsOf(client, kind)) ?? [])
          await remove(client, nothingKnown(), kind, id);
      await eventually('no row', SETTLED_MS, async () =>
        (await rows())?.size === 0 ? true : undefined,
      );
      await client.send('DELETE', `/image/v2/images/${facts.imageId}`);
      await eventually('no data of images, and no guests', SETTLED_MS, async () =>
        (await cloud.leftovers()).length === 0 ? true : undefined,
      );
      expect(client.failures).toEqual([]);
    },
    HOUR,
  );
});
