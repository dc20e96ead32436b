/**
 * Objects of S3: large ones up and down, compared with Node's own streams to and from the same disk in
 * turns within one run; small ones per second; pages of keys; and memory while much is moved.
 */
import { BUCKET } from './bucket.js';
import { measureListPages } from './list-pages.js';
import { median } from './measure.js';
import { peakMemory } from './memory-watch.js';
import { presigned } from './presigned.js';
import { measureSmallObjects } from './small-objects.js';
import { startProcess } from './processes.js';
import type { BareFacts, ObjectsFacts } from './protocol.js';
import { mib, printRow } from './table.js';
import { download, ImageBytes, upload } from './transfer.js';

const SIZE = 64 * 1024 ** 2;
const ROUNDS = 9;
const CLIENTS = 16;
const HUGE = 1024 ** 3;

type Way = 'up' | 'down';
/** Seconds. */
type Round = Readonly<Record<Way, number>>;

export async function measureObjects(): Promise<void> {
  const { child, facts: s3 } = await startProcess<ObjectsFacts>('./objects-process.js');
  const { facts: bare } = await startProcess<BareFacts>('./bare-objects-process.js');
  await expectSuccess(presigned(s3, 'PUT', `/${BUCKET}`), 'PUT');
  const bytes = new ImageBytes(SIZE);
  const rounds: { s3: Round; bare: Round }[] = [];
  for (let at = 0; at < ROUNDS; at += 1) {
    const path = `/${BUCKET}/large-${at}`;
    const own = (method: string): string => presigned(s3, method, path);
    rounds.push({
      s3: await through(own, bytes),
      bare: await through(() => `${bare.url}/large`, bytes),
    });
  }
  printRow(['', 'MiB/s', 'bare MiB/s', 'ratio']);
  for (const way of ['up', 'down'] as const) {
    const of = (pick: (round: (typeof rounds)[number]) => number): number =>
      median(rounds.map(pick));
    printRow([
      `object of ${mib(SIZE)} MiB, ${way}`,
      mib(SIZE / of((round) => round.s3[way])),
      mib(SIZE / of((round) => round.bare[way])),
      of((round) => round.bare[way] / round.s3[way]).toFixed(2),
    ]);
  }
  await measureSmallObjects(s3);
  await measureListPages(s3);
  const before = await peakMemory(child);
  await moveMuch(s3);
  const during = await peakMemory(child);
  process.stdout.write(
    `\n${CLIENTS} clients moved objects of ${mib(HUGE)} MiB up and down: resident memory of the cloud was ` +
      `at most ${mib(before)} MiB before, and at most ${mib(during)} MiB during that\n`,
  );
}

async function through(url: (method: string) => string, bytes: ImageBytes): Promise<Round> {
  const { seconds: up } = await upload(url('PUT'), bytes, {});
  const down = await download(url('GET'), bytes, {});
  await expectSuccess(url('DELETE'), 'DELETE');
  return { up, down };
}

async function moveMuch(s3: ObjectsFacts): Promise<void> {
  const bytes = new ImageBytes(HUGE);
  const moving = Array.from({ length: CLIENTS }, async (_, at) => {
    await through((method) => presigned(s3, method, `/${BUCKET}/huge-${at}`), bytes);
  });
  await Promise.all(moving);
}

async function expectSuccess(url: string, method: string): Promise<void> {
  const response = await fetch(url, { method });
  if (!response.ok)
    throw new Error(`${method} answered ${response.status}: ${await response.text()}`);
}
