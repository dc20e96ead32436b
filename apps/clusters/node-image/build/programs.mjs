/** The Go programs of a node: third-party ones, pinned by go.mod and go.sum, and its own. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { run, step } from '../../../../scripts/lib/programs.mjs';
import { modFileOf, NODE_IMAGE } from './versions.mjs';

/**
 * - `name`: of the file
 * - `folder`: of the module
 * - `of`: the package, by default that of the folder
 * - `flags()`: more arguments of `go build`
 */
const PROGRAMS = [
  { name: 'kubernetes', folder: 'components/node', flags: kubernetesFlags },
  { name: 'coredns', folder: 'components/coredns' },
  { name: 'flannel', folder: 'components/flannel' },
  {
    name: 'metrics-server',
    folder: 'components/metrics-server',
    of: 'sigs.k8s.io/metrics-server/cmd/metrics-server',
  },
  { name: 'agent', folder: 'agent' },
  { name: 'echo', folder: 'images', of: './echo' },
  { name: 'pause', folder: 'images', of: './pause' },
];

/**
 * @param folder where the programs are written to
 * @returns `{ name, path }` of each program
 */
export async function buildPrograms(versions, folder) {
  await mkdir(folder, { recursive: true });
  const built = [];
  // An agent that fails its tests is not built.
  await step('Testing the agent', () => go(join(NODE_IMAGE, 'agent'), ['test', './...']));
  for (const program of PROGRAMS) {
    const path = join(folder, program.name);
    await step(`Building ${program.name}`, () => build(program, versions, path));
    built.push({ name: program.name, path });
  }
  return built;
}

function build({ folder, of = '.', flags = () => [] }, versions, path) {
  const args = ['build', '-trimpath', ...flagsOf(flags(versions)), '-o', path, of];
  return go(join(NODE_IMAGE, folder), args);
}

function go(folder, args) {
  return run('go', args, {
    cwd: folder,
    // Static binaries, which depend on nothing in the system or container.
    env: { CGO_ENABLED: '0', GOOS: 'linux', GOARCH: 'amd64', GOFLAGS: goFlags() },
  });
}

/** Without VCS stamps, and with a module cache that can be deleted. */
function goFlags() {
  return `${process.env.GOFLAGS ?? ''} -buildvcs=false -modcacherw -mod=readonly`.trim();
}

function flagsOf({ linked = [], ...rest } = {}) {
  const variables = linked.map(([name, value]) => `-X ${name}=${value}`);
  const others = Object.entries(rest).map(([name, value]) => `-${name}=${value}`);
  return ['-ldflags', ['-s', '-w', ...variables].join(' '), ...others];
}

/** Kubernetes' programs get their version at build time. */
function kubernetesFlags(versions) {
  const [major, minor] = versions.kubernetes.split('.');
  const version = [
    ['gitVersion', `v${versions.kubernetes}`],
    ['gitMajor', major],
    ['gitMinor', minor],
    ['gitTreeState', 'clean'],
  ];
  const packages = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'];
  return {
    modfile: modFileOf(versions.kubernetes),
    linked: [
      ...packages.flatMap((of) => version.map(([name, value]) => [`${of}.${name}`, value])),
      [
        'k8s.io/cloud-provider-openstack/pkg/version.Version',
        `v${versions['cloud-provider-openstack']}`,
      ],
    ],
  };
}
