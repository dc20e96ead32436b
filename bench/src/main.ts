/** `npm run bench`: the cloud compared with bare Node. `npm run bench -- images` runs one part. */
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

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !Object.hasOwn(PARTS, name));
if (unknown !== undefined) {
  process.stderr.write(
    `${unknown} is no part of the bench; ${Object.keys(PARTS).join(', ')} are\n`,
  );
  process.exit(2);
}
for (const [name, measurePart] of Object.entries(PARTS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  try {
    await measurePart();
  } finally {
    endProcesses();
  }
}
