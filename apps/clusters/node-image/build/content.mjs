/**
 * Builds the folder that is copied over a Debian system to make it a node: programs, container
 * images, overlay.
 */
import {
  chmod,
  copyFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseAllDocuments } from 'yaml';

import { ociArchive } from './oci-archive.mjs';
import { NODE_IMAGE } from './versions.mjs';

/** The names of the single Kubernetes binary, each of which is a component. */
const COMPONENTS = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-proxy',
  'kube-scheduler',
  'kubectl',
  'kubelet',
  'openstack-cloud-controller-manager',
];

/** Paths of programs on the node's own system. */
const ON_THE_NODE = {
  kubernetes: 'usr/lib/cumulet-node/kubernetes',
  flannel: 'usr/bin/flanneld',
  agent: 'usr/bin/cumulet-node',
};

/** Programs with a container image each. */
const IN_CONTAINERS = ['coredns', 'metrics-server', 'pause', 'echo'];

/** The name of a container image; third-party ones have a `v` before their version. */
export function imageNameOf(name, versions) {
  const version = versions[name];
  return `docker.io/cumulet/${name}:${version.includes('.') ? 'v' : ''}${version}`;
}

/**
 * @param programs of `buildPrograms`
 * @returns `{ name, digest }` of each image of a container
 */
export async function makeContent(folder, programs, versions) {
  await rm(folder, { recursive: true, force: true });
  await cp(join(NODE_IMAGE, 'overlay'), folder, { recursive: true });
  const share = join(folder, 'usr/share/cumulet-node');
  await mkdir(join(share, 'images'), { recursive: true });
  await mkdir(join(folder, 'usr/bin'), { recursive: true });
  await writeFile(join(share, 'versions.json'), `${JSON.stringify(versions, null, 2)}\n`);
  await writeAddons(join(share, 'addons'));
  for (const component of COMPONENTS)
    await symlink('../lib/cumulet-node/kubernetes', join(folder, 'usr/bin', component));
  const images = [];
  for (const { name, path } of programs) {
    const place = ON_THE_NODE[name];
    if (place !== undefined) {
      await copyFile(path, join(folder, place));
      await chmod(join(folder, place), 0o755);
    }
    if (!IN_CONTAINERS.includes(name)) continue;
    const image = imageNameOf(name, versions);
    const { archive, digest } = ociArchive(image, await readFile(path));
    await writeFile(join(share, 'images', `${name}.tar`), archive);
    images.push({ name: image, digest });
  }
  return images;
}

/** The agent reads JSON: a list of manifests for each add-on. */
async function writeAddons(folder) {
  const source = join(NODE_IMAGE, 'addons');
  await mkdir(folder, { recursive: true });
  for (const file of await readdir(source)) {
    const documents = parseAllDocuments(await readFile(join(source, file), 'utf8'));
    const name = `${basename(file, '.yaml')}.json`;
    const text = JSON.stringify(
      documents.map((document) => document.toJS()),
      null,
      1,
    );
    await writeFile(join(folder, name), `${text}\n`);
  }
}
