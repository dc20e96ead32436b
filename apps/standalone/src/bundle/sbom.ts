/**
 * `node dist/bundle/sbom.js TITLE PACKAGES STATUS`: the list of software in an image, as CycloneDX
 * (https://cyclonedx.org/docs/1.5/json/): the npm packages (`packages.json` of `image.ts`), Debian's
 * (dpkg's file of statuses) and Node.
 */
import { readFile } from 'node:fs/promises';
import type { NpmPackage } from './packages.js';

interface Component {
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly { readonly expression: string }[];
}

const [, , title = '', npm = '', status = ''] = process.argv;

const components = [
  ...(JSON.parse(await readFile(npm, 'utf8')) as NpmPackage[]).map(npmComponent),
  ...(await readFile(status, 'utf8')).split('\n\n').flatMap(debianComponent),
  component('node', process.versions.node, `pkg:generic/node@${process.versions.node}`),
];
const byPurl = new Map(components.map((one) => [one.purl, one]));
const sbom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { component: { type: 'container', name: title } },
  components: [...byPurl.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
};
process.stdout.write(`${JSON.stringify(sbom, undefined, 1)}\n`);

function component(name: string, version: string, purl: string): Component {
  return { type: 'library', name, version, purl };
}

function npmComponent({ name, version, license }: NpmPackage): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const licenses = typeof license === 'string' ? [{ expression: license }] : undefined;
  return { ...component(name, version, purl), ...(licenses && { licenses }) };
}

/** A paragraph of dpkg's file, or of packages unpacked beside it, which have no status. */
function debianComponent(paragraph: string): Component[] {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(paragraph)?.[1] ?? '';
  const [name, version] = [field('Package'), field('Version')];
  if (name === '' || !['', 'install ok installed'].includes(field('Status'))) return [];
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${field('Architecture')}`;
  return [component(name, version, purl)];
}
