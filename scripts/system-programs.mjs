/**
 * The programs that Cumulet runs and npm cannot install. As root on Debian and Ubuntu, missing ones
 * are installed; elsewhere one line each says what is missing, why it matters and how to get it.
 */
import { existsSync } from 'node:fs';
import { installPackages, mayInstall } from './lib/apt.mjs';
import { installHaproxy } from './lib/haproxy-package.mjs';
import { isOvnUnpacked, unpackOvn } from './lib/ovn-packages.mjs';
import { isOnPath, run } from './lib/programs.mjs';

/**
 * - `name`: the program's usual name
 * - `packages`: the Debian packages that contain it
 * - `isThere()`: whether it can be used, or is not needed here
 * - `install()`: how to get it, if not by installing the packages; as `installPackages`
 * - `without`: what does not work without it
 */
const QEMU = {
  name: 'QEMU',
  packages: ['qemu-system-x86', 'qemu-utils'],
  isThere: () => ['qemu-system-x86_64', 'qemu-img'].every(isOnPath),
  without: 'servers will only be simulated',
};

const OVMF = {
  name: 'OVMF',
  packages: ['ovmf'],
  isThere: () =>
    process.platform !== 'linux' ||
    ['/usr/share/OVMF', '/usr/share/edk2'].some((folder) => existsSync(folder)),
  without: 'servers whose image asks for UEFI cannot start',
};

const OVN = {
  name: 'OVN',
  packages: ['openvswitch-switch', 'ovn-central', 'ovn-host'],
  // Only root may carry packets between guests; others have no use for it.
  isThere: () =>
    process.platform !== 'linux' ||
    process.getuid() !== 0 ||
    isOvnUnpacked() ||
    ['ovsdb-server', 'ovn-northd', 'ovn-controller'].every(isOnPath),
  install: unpackOvn,
  without: 'networks will only be simulated',
};

const HAPROXY = {
  name: 'HAProxy',
  packages: ['haproxy'],
  isThere: () =>
    process.platform !== 'linux' ||
    ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].some((path) => existsSync(path)) ||
    isOnPath('haproxy'),
  install: installHaproxy,
  without: 'load balancers will only be simulated',
};

const PYTHON_VENV = {
  name: 'Python with venv',
  packages: ['python3', 'python3-venv'],
  isThere: async () => (await run('python3', ['-c', 'import ensurepip, venv'])).exitCode === 0,
  without: 'the tests with the stock openstack client cannot run',
};

const PING = {
  name: 'ping',
  packages: ['iputils-ping'],
  isThere: () => isOnPath('ping'),
  without: 'load balancers cannot ping their members',
};

const CHROMIUM = {
  name: 'Chromium',
  packages: ['chromium'],
  isThere: () => ['chromium', 'google-chrome'].some(isOnPath),
  without: 'the tests of consoles in a browser fail',
};

const RCLONE = {
  name: 'rclone',
  packages: ['rclone'],
  isThere: () => isOnPath('rclone'),
  without: 'the tests of S3 with rclone fail',
};

const RESTIC = {
  name: 'restic',
  packages: ['restic'],
  isThere: () => isOnPath('restic'),
  without: 'the tests of S3 with restic fail',
};

const OPENSSL = {
  name: 'OpenSSL',
  packages: ['openssl'],
  isThere: () => isOnPath('openssl'),
  without: 'the tests of certificates fail',
};

/** What the cloud itself runs. */
export const TO_RUN = [QEMU, OVMF, OVN, HAPROXY, PING];
/** What its tests run. */
export const TO_TEST = [...TO_RUN, PYTHON_VENV, CHROMIUM, RCLONE, RESTIC, OPENSSL];

/** Installs the missing programs if it can, and otherwise says so and goes on. */
export async function ensurePrograms(programs) {
  const missing = await whichAreMissing(programs);
  if (missing.length === 0) return;
  let reason = '';
  if (mayInstall()) {
    for (const { packages, install } of stepsFor(missing)) {
      const start = performance.now();
      process.stdout.write(`Installing ${packages.join(', ')} … `);
      const { exitCode, output } = await install();
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      console.log(exitCode === 0 ? `${seconds} s` : `failed after ${seconds} s`);
      reason ||= /^E: .*/m.exec(output)?.[0] ?? '';
    }
  }
  for (const program of await whichAreMissing(missing)) console.error(adviceFor(program, reason));
}

/** One for all packages together, and one for each program that is got in its own way. */
function stepsFor(programs) {
  const packages = programs.filter(({ install }) => !install).flatMap((one) => one.packages);
  const plain = { packages, install: () => installPackages(packages) };
  return [...(packages.length > 0 ? [plain] : []), ...programs.filter(({ install }) => install)];
}

async function whichAreMissing(programs) {
  const there = await Promise.all(programs.map((program) => program.isThere()));
  return programs.filter((_, index) => !there[index]);
}

/** @param reason why apt could not install it, or nothing if it was not tried */
function adviceFor({ name, packages, without }, reason) {
  const because = reason === '' ? '' : ` and could not be installed (${reason})`;
  return (
    `${name} is missing${because}, so ${without}. To get it on Debian or Ubuntu: ` +
    `sudo apt-get install ${packages.join(' ')}`
  );
}
