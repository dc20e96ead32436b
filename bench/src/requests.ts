/**
 * Guarded requests to the cloud compared with a bare handler that answers the same bytes, in turns
 * within one run, so that a change of the machine's speed affects both.
 */
import { measure, median, type Figures, type Target } from './measure.js';
import { startProcess } from './processes.js';
import type { BareFacts, BareOptions, CloudFacts } from './protocol.js';
import { mib, printRow } from './table.js';
import { measureTokenCheck } from './token-check.js';

const ROUNDS = 5;
const SECONDS = 4;
const WARM_UP_SECONDS = 3;

const LOAD_BALANCERS = '/v2.0/lbaas/loadbalancers';

interface Contest {
  readonly name: string;
  readonly cloud: Target;
  readonly bare: Target;
}

export async function measureRequests(): Promise<void> {
  const { facts: cloud } = await startProcess<CloudFacts>('./cloud-process.js');
  const { computeUrl, token, databaseUrls, projectId, identityUrl, stacks } = cloud;
  const baseUrl = computeUrl.replace(/\/v2\.1$/, '');
  const options: BareOptions = { databaseUrls, projectId, baseUrl, identityUrl, stacks };
  const { facts: bare } = await startProcess<BareFacts>('./bare-process.js', [], options);
  const contests = readsOf(cloud).map(([name, url, path]): Contest => {
    return { name, cloud: { url: url + path, token }, bare: { url: bare.url + path } };
  });
  for (const contest of contests) await sameBytes(contest);
  contests.push({
    name: 'GET /v3/auth/tokens',
    cloud: { url: `${cloud.identityUrl}/v3/auth/tokens`, token, subject: token },
    bare: { url: `${bare.url}/v3/auth/tokens`, subject: token },
  });
  contests.push({
    name: 'POST /v3/auth/tokens, argon2id',
    cloud: { url: `${cloud.identityUrl}/v3/auth/tokens`, body: cloud.login },
    bare: { url: `${bare.url}/v3/auth/tokens`, body: cloud.login },
  });
  printRow(['', 'requests/s', 'p99 ms', 'bare requests/s', 'bare p99 ms', 'ratio']);
  for (const contest of contests) printRow(await hold(contest));
  const check = await measureTokenCheck();
  process.stdout.write(
    `\nchecking a token: ${check.cached.toFixed(1)} µs from the cache, ${check.first.toFixed(0)} µs the first time\n`,
  );
  const { nodeBytes, postgresBytes, connections } = cloud.idle;
  process.stdout.write(
    `\nproportional set size of the idle cloud (all services, 20 servers): ${mib(nodeBytes + postgresBytes)} MiB, ` +
      `of which Node ${mib(nodeBytes)} MiB; ${connections} connections to Postgres\n`,
  );
}

/** Of each: its name, the URL of its API, and its path there. */
export function readsOf(cloud: CloudFacts): readonly (readonly [string, string, string])[] {
  const { computeUrl, imagesUrl, loadBalancersUrl, stacks } = cloud;
  return [
    ['GET /servers/detail, 20 rows', computeUrl, '/servers/detail'],
    ['GET /servers/{server_id}', computeUrl, `/servers/${cloud.serverId}`],
    ['GET /flavors/detail', computeUrl, '/flavors/detail'],
    ['GET /v2/images, 20 rows', imagesUrl, '/v2/images'],
    ['GET …/loadbalancers, 10 rows', loadBalancersUrl, LOAD_BALANCERS],
    [
      'GET …/loadbalancers/{loadbalancer_id}',
      loadBalancersUrl,
      `${LOAD_BALANCERS}/${cloud.loadBalancerId}`,
    ],
    ['GET /stacks, 20 rows', stacks.url, '/stacks'],
    ['GET /stacks/{name}/{id}', stacks.url, cloud.stackPath],
  ];
}

/** The ratio is per pair of rounds: the machine's other load affects both halves. */
async function hold({ name, cloud, bare }: Contest): Promise<string[]> {
  await measure(cloud, WARM_UP_SECONDS);
  await measure(bare, WARM_UP_SECONDS);
  const rounds: { cloud: Figures; bare: Figures }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({ cloud: await measure(cloud, SECONDS), bare: await measure(bare, SECONDS) });
  }
  const of = (pick: (round: (typeof rounds)[number]) => number): number => median(rounds.map(pick));
  return [
    name,
    of((round) => round.cloud.requestsPerSecond).toFixed(0),
    of((round) => round.cloud.p99).toFixed(0),
    of((round) => round.bare.requestsPerSecond).toFixed(0),
    of((round) => round.bare.p99).toFixed(0),
    of((round) => round.cloud.requestsPerSecond / round.bare.requestsPerSecond).toFixed(2),
  ];
}

async function sameBytes({ name, cloud, bare }: Contest): Promise<void> {
  const read = async ({ url, token }: Target): Promise<string> =>
    (await fetch(url, token === undefined ? {} : { headers: { 'X-Auth-Token': token } })).text();
  if ((await read(cloud)) !== (await read(bare))) throw new Error(`${name}: the answers differ`);
}
