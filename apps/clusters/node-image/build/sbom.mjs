/**
 * The SBOM of a node image, in SPDX: Debian packages, Go modules of each program (as recorded in
 * it), and container images. Public source: SPDX specification 2.3.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { run, StepError } from '../../../../scripts/lib/programs.mjs';
import { goModulesOf } from './go-modules.mjs';

/**
 * @param input `name` of the image, `programs` of `buildPrograms`, `debian` and `content` folders, `containers`
 * @returns the document's text, which is also written into the content
 */
export async function writeSbom({ name, programs, debian, containers, content }) {
  const document = new Document(name);
  for (const { Package, Version, Architecture } of await debianPackages(debian))
    document.contains(debianPackage(Package, Version, Architecture));
  for (const { name: program, path } of programs) {
    const id = document.contains({ ...plain(program), versionInfo: 'NOASSERTION' });
    for (const module of goModulesOf(await outputOf('go', ['version', '-m', path])))
      document.madeOf(id, goPackage(module));
  }
  for (const { name: image, digest } of containers)
    document.contains(containerImage(image, digest));
  const text = `${JSON.stringify(document.value(), null, 1)}\n`;
  await mkdir(join(content, 'usr/share/cumulet-node'), { recursive: true });
  await writeFile(join(content, 'usr/share/cumulet-node/sbom.json'), text);
  return text;
}

class Document {
  #packages = new Map();
  #relations = [];

  constructor(name) {
    this.name = name;
    this.#packages.set('SPDXRef-image', { SPDXID: 'SPDXRef-image', ...plain(name) });
  }

  /** @returns the package's id */
  contains(made) {
    return this.#relate('SPDXRef-image', 'CONTAINS', made);
  }

  madeOf(id, made) {
    return this.#relate(id, 'STATIC_LINK', made);
  }

  #relate(from, relationshipType, made) {
    const text = `${made.name}-${made.versionInfo ?? ''}`;
    const SPDXID = `SPDXRef-${text.replaceAll(/[^A-Za-z0-9.-]/g, '-')}`;
    if (!this.#packages.has(SPDXID)) this.#packages.set(SPDXID, { SPDXID, ...made });
    this.#relations.push({ spdxElementId: from, relationshipType, relatedSpdxElement: SPDXID });
    return SPDXID;
  }

  value() {
    return {
      spdxVersion: 'SPDX-2.3',
      dataLicense: 'CC0-1.0',
      SPDXID: 'SPDXRef-DOCUMENT',
      name: this.name,
      documentNamespace: `urn:cumulet:node-image:${this.name}`,
      creationInfo: {
        created: `${new Date().toISOString().slice(0, 19)}Z`,
        creators: ['Tool: cumulet-node-image'],
      },
      documentDescribes: ['SPDXRef-image'],
      packages: [...this.#packages.values()],
      relationships: this.#relations,
    };
  }
}

function plain(name) {
  return { name, downloadLocation: 'NOASSERTION', filesAnalyzed: false };
}

function withPurl(name, version, purl) {
  const reference = { referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl' };
  return {
    ...plain(name),
    versionInfo: version,
    externalRefs: [{ ...reference, referenceLocator: purl }],
  };
}

function debianPackage(name, version, architecture) {
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`;
  return withPurl(name, version, purl);
}

function goPackage({ path, version, sum }) {
  const made = withPurl(path, version, `pkg:golang/${path}@${encodeURIComponent(version)}`);
  return sum === undefined ? made : { ...made, comment: `Sum of go.sum: ${sum}` };
}

function containerImage(image, digest) {
  const [name, tag] = image.split(/:(?=[^/]*$)/);
  const purl = `pkg:oci/${name.split('/').at(-1)}@${encodeURIComponent(digest)}?tag=${tag}`;
  return withPurl(name, tag, purl);
}

/** From dpkg's list of installed packages, without running a program of the folder. */
async function debianPackages(root) {
  const text = await readFile(join(root, 'var/lib/dpkg/status'), 'utf8');
  return text
    .split('\n\n')
    .map((block) => Object.fromEntries(block.split('\n').flatMap(field)))
    .filter(({ Status }) => Status?.endsWith(' installed'));
}

function field(line) {
  const at = line.indexOf(': ');
  return at < 1 || line.startsWith(' ') ? [] : [[line.slice(0, at), line.slice(at + 2)]];
}

async function outputOf(file, args) {
  const { exitCode, output } = await run(file, args);
  if (exitCode !== 0) throw new StepError(`${file} ${args.join(' ')} failed: ${output.trim()}`);
  return output;
}
