/**
 * Requirements for building the image of a node; machines that lack them use an image built
 * elsewhere.
 */
import { isOnPath, StepError } from '../../../../scripts/lib/programs.mjs';
import { ensurePrograms } from '../../../../scripts/system-programs.mjs';

const ON_PATH = (name) => () => isOnPath(name);

const TO_BUILD = [
  {
    name: 'mmdebstrap',
    packages: ['mmdebstrap'],
    isThere: ON_PATH('mmdebstrap'),
    without: 'no image of a node can be built',
  },
  {
    name: 'qemu-img',
    packages: ['qemu-utils'],
    isThere: ON_PATH('qemu-img'),
    without: 'no image of a node can be built',
  },
];

/**
 * @param folder of built images
 * @throws StepError naming what is missing, and the alternative
 */
export async function requireWhatBuilds(folder) {
  const missing = [
    ...(process.platform === 'linux' && process.getuid() === 0 ? [] : ['root on Linux']),
    ...(isOnPath('go') ? [] : ['Go 1.26 (https://go.dev/dl)']),
  ];
  if (missing.length === 0) {
    await ensurePrograms(TO_BUILD);
    missing.push(...TO_BUILD.filter(({ isThere }) => !isThere()).map(({ name }) => name));
  }
  if (missing.length === 0) return;
  throw new StepError(
    `Building the image needs ${missing.join(' and ')}. Or copy the .qcow2 and .json that another machine ` +
      `has built to ${folder}: the next \`npm start\` registers it.`,
  );
}
