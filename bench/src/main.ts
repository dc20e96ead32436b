/**
 * `npm run bench`: the cloud compared with bare Node. `npm run bench -- images` runs one part;
 * `npm run bench -- builds ../earlier` compares the request paths with those of another checkout.
 */
import { compareBuilds } from './builds.js';
import { measureHostile } from './hostile.js';
import { measureImages } from './images.js';
import { measureJobs } from './jobs.js';
import { endProcesses } from './processes.js';
import { measureObjects } from './objects.js';
import { measureRequests } from './requests.js';
import { measureStacks } from './stacks.js';

const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  requests: measureRequests,
  images: measureImages,
  objects: measureObjects,
  jobs: measureJobs,
  stacks: measureStacks,
  hostile: measureHostile,
};

const [first, ...others] = process.argv.slice(2);
const [earlier] = others;
if (first === 'builds') {
  if (earlier === undefined || others.length > 1) refuse('builds wants the folder of one checkout');
  await run(() => compareBuilds(earlier));
  process.exit();
}
const asked = first === undefined ? [] : [first, ...others];
const unknown = asked.find((name) => !Object.hasOwn(PARTS, name));
if (unknown !== undefined) {
  refuse(`'${unknown}' is not a part of the bench: ${Object.keys(PARTS).join(', ')}, builds`);
}
for (const [name, measurePart] of Object.entries(PARTS)) {
  if (asked.length === 0 || asked.includes(name)) await run(measurePart);
}

async function run(measurePart: () => Promise<void>): Promise<void> {
  try {
    await measurePart();
  } finally {
    endProcesses();
  }
}

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(2);
}
