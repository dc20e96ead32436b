/**
 * The request paths of this build and of another checkout's, in turns within one run, so that a change of
 * the machine's speed affects both: whether a change has made them slower. This build starts first, and
 * whichever build did has been seen to answer lists of servers some 5 % slower: run it from the other
 * checkout, too, before a small difference is believed.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUCKET } from './bucket.js';
import { measure, median, type Figures, type Target } from './measure.js';
import { presigned } from './presigned.js';
import { startProcess } from './processes.js';
import type { CloudFacts, ObjectsFacts, Report } from './protocol.js';
import { readsOf } from './requests.js';
import { measureSmall, putSmallObjects } from './small-objects.js';
import { printRow } from './table.js';

const ROUNDS = 5;
const SECONDS = 3;

type Measurement = (seconds: number) => Promise<Figures>;
type Measurements = Readonly<Record<string, Measurement>>;

/** @param folder a checkout that is built */
export async function compareBuilds(folder: string): Promise<void> {
  const other = resolve(folder, 'bench/dist');
  if (!existsSync(other)) throw new Error(`${other} is not there: build that checkout first`);
  printRow(['', 'requests/s', "the other's", 'ratio', 'p99 ms', "the other's"]);
  for (const [file, measurementsOf] of [
    ['cloud-process.js', requestsOf],
    ['objects-process.js', objectsOf],
  ] as const) {
    const ours = await measurementsOf(await factsOf(`./${file}`));
    const theirs = await measurementsOf(await factsOf(pathToFileURL(join(other, file)).href));
    for (const [name, measureOurs] of Object.entries(ours)) {
      const measureTheirs = theirs[name];
      if (measureTheirs) printRow([name, ...(await compare(measureOurs, measureTheirs))]);
    }
  }
}

async function factsOf<T extends Report>(file: string): Promise<T> {
  return (await startProcess<T>(file)).facts;
}

function requestsOf(facts: Report): Promise<Measurements> {
  const cloud = facts as CloudFacts;
  const { token, identityUrl } = cloud;
  const reads = readsOf(cloud).map(([name, url, path]): [string, Target] => {
    return [name, { url: url + path, token }];
  });
  const targets: Readonly<Record<string, Target>> = {
    ...Object.fromEntries(reads),
    'GET /v3/auth/tokens': { url: `${identityUrl}/v3/auth/tokens`, token, subject: token },
    'POST /v3/auth/tokens': { url: `${identityUrl}/v3/auth/tokens`, body: cloud.login },
    'POST …/{server_id}/metadata': {
      url: `${cloud.computeUrl}/servers/${cloud.serverId}/metadata`,
      token,
      body: JSON.stringify({ metadata: { measured: 'yes' } }),
    },
  };
  const measurements = Object.entries(targets).map(([name, target]): [string, Measurement] => {
    return [name, (seconds) => measure(target, seconds)];
  });
  return Promise.resolve(Object.fromEntries(measurements));
}

async function objectsOf(facts: Report): Promise<Measurements> {
  const s3 = facts as ObjectsFacts;
  await fetch(presigned(s3, 'PUT', `/${BUCKET}`), { method: 'PUT' });
  await putSmallObjects(s3);
  return {
    'PUT of 4 KiB': (seconds) => measureSmall(s3, 'PUT', seconds),
    'GET of 4 KiB': (seconds) => measureSmall(s3, 'GET', seconds),
  };
}

/** The first round of each is a warm-up. */
async function compare(ours: Measurement, theirs: Measurement): Promise<string[]> {
  const rounds: { ours: Figures; theirs: Figures }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    rounds.push({ ours: await ours(SECONDS), theirs: await theirs(SECONDS) });
  }
  const [, ...measured] = rounds;
  const of = (pick: (round: (typeof rounds)[number]) => number): number =>
    median(measured.map(pick));
  return [
    of((round) => round.ours.requestsPerSecond).toFixed(0),
    of((round) => round.theirs.requestsPerSecond).toFixed(0),
    of((round) => round.ours.requestsPerSecond / round.theirs.requestsPerSecond).toFixed(2),
    of((round) => round.ours.p99).toFixed(0),
    of((round) => round.theirs.p99).toFixed(0),
  ];
}
