/**
 * A large image up to the images service and down again, compared with Node's own streams to and
 * from the same disk, in turns within one run.
 */
import { median } from './measure.js';
import { peakMemory } from './memory-watch.js';
import { startProcess } from './processes.js';
import type { BareFacts, ImagesFacts } from './protocol.js';
import { mib, printRow } from './table.js';
import { download, ImageBytes, upload } from './transfer.js';

const SIZE = 2 * 1024 ** 3;
const ROUNDS = 3;

/** Seconds. */
interface Round {
  readonly up: number;
  readonly down: number;
}

export async function measureImages(): Promise<void> {
  const bytes = new ImageBytes(SIZE);
  const { child, facts: images } = await startProcess<ImagesFacts>('./images-process.js');
  const { facts: bare } = await startProcess<BareFacts>('./bare-images-process.js');
  const before = await peakMemory(child);
  const rounds: { images: Round; bare: Round }[] = [];
  for (let at = 0; at < ROUNDS; at += 1) {
    rounds.push({
      images: await throughImages(images, bytes),
      bare: await throughBare(bare, bytes),
    });
  }
  const grown = (await peakMemory(child)) - before;
  printRow(['', 'MiB/s', 'bare MiB/s', 'ratio']);
  for (const way of ['up', 'down'] as const) {
    const of = (pick: (round: (typeof rounds)[number]) => number): number =>
      median(rounds.map(pick));
    printRow([
      `image of ${mib(SIZE)} MiB, ${way}`,
      mib(SIZE / of((round) => round.images[way])),
      mib(SIZE / of((round) => round.bare[way])),
      of((round) => round.bare[way] / round.images[way]).toFixed(2),
    ]);
  }
  process.stdout.write(
    `resident memory of the cloud grew by at most ${(grown / 1e6).toFixed(0)} MB\n`,
  );
}

/**
 * Each round's image is new, and deleted again. So is the baseline's file: the sooner the machine
 * reuses the memory of its page cache, the faster it is.
 */
async function throughImages({ url, token }: ImagesFacts, bytes: ImageBytes): Promise<Round> {
  const headers = { 'X-Auth-Token': token };
  const created = await fetch(`${url}/v2/images`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'bench', disk_format: 'raw', container_format: 'bare' }),
  });
  const { id } = (await created.json()) as { id: string };
  const image = `${url}/v2/images/${id}`;
  const { seconds: up } = await upload(`${image}/file`, bytes, headers);
  requireHashes(await (await fetch(image, { headers })).text(), bytes);
  const down = await download(`${image}/file`, bytes, headers);
  await fetch(image, { method: 'DELETE', headers });
  return { up, down };
}

async function throughBare({ url }: BareFacts, bytes: ImageBytes): Promise<Round> {
  const { seconds: up, body } = await upload(url, bytes, {});
  requireHashes(body, bytes);
  const down = await download(url, bytes, {});
  await fetch(url, { method: 'DELETE' });
  return { up, down };
}

function requireHashes(body: string, bytes: ImageBytes): void {
  const found = JSON.parse(body) as { checksum: string; os_hash_value: string };
  if (found.checksum !== bytes.checksum || found.os_hash_value !== bytes.hashValue) {
    throw new Error(`the hashes are others than those of what was sent: ${body}`);
  }
}
