/** Builds the image of a node in steps, which are quick if their inputs have not changed. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';

import { ROOT, run, step, StepError } from '../../../../scripts/lib/programs.mjs';
import { makeContent } from './content.mjs';
import { debianRoot } from './debian.mjs';
import { imageRecord } from './image-record.mjs';
import { buildPrograms } from './programs.mjs';
import { requireWhatBuilds } from './requirements.mjs';
import { writeSbom } from './sbom.mjs';
import { KUBERNETES_VERSIONS, NODE_IMAGE, versionsOf } from './versions.mjs';

/** @param args of the command line @throws StepError */
export async function buildNodeImage(args) {
  const { kubernetes, fresh } = optionsOf(args);
  const versions = versionsOf(kubernetes);
  const dataDir = resolve(ROOT, process.env.CUMULET_DATA_DIR ?? '.cumulet');
  const images = join(dataDir, 'node-images');
  await requireWhatBuilds(images);
  const cache = join(dataDir, 'cache', 'node-image');
  const name = `cumulet-node-v${kubernetes}`;
  await mkdir(images, { recursive: true });

  const programs = await buildPrograms(versions, join(cache, 'programs', kubernetes));
  const debian = await debianRoot(cache, { fresh });
  const content = join(cache, 'content');
  const containers = await makeContent(content, programs, versions);
  const sbom = await writeSbom({ name, versions, programs, debian, containers, content });
  const disk = join(images, `${name}.qcow2`);
  await step('Making the disk', () =>
    run('bash', [join(NODE_IMAGE, 'build', 'disk.sh'), debian, content, `${disk}.new`]),
  );
  await writeFile(join(images, `${name}.spdx.json`), sbom);
  const record = imageRecord(name, kubernetes, await sha256Of(`${disk}.new`));
  await rename(`${disk}.new`, disk);
  await writeFile(join(images, `${name}.json`), `${JSON.stringify(record, null, 2)}\n`);
  const { size } = await stat(disk);
  console.log(`${disk}: ${Math.round(size / 1e6)} MB`);
  console.log('The next `npm start` registers it as a public image.');
}

function optionsOf(args) {
  try {
    return parseArgs({
      args,
      options: {
        kubernetes: { type: 'string', default: KUBERNETES_VERSIONS[0] },
        fresh: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new StepError(error.message);
  }
}

async function sha256Of(path) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
