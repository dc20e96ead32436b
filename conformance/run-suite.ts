/**
 * `npm run conformance -- <suite>`: the whole of a foreign suite against a cloud of its own, and its
 * results to docs/conformance.md. Exits with 1 where the reasons in conformance/lists do not fit.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { RunningCloud } from './support/running-cloud.js';
import { faultsOf, sectionOf, withSection, type SuiteRun } from './support/suite-report.js';
import { knownReasons, SUITES, TEMPEST_CLOUD, TEMPEST_CONF } from './support/suites.js';
import { Tempest } from './support/tempest.js';

const DOCUMENT = new URL('../docs/conformance.md', import.meta.url);

const [name = ''] = process.argv.slice(2);
const suite = SUITES[name];
if (suite === undefined) {
  const names = [...Object.keys(SUITES), 'acceptance', 'cloud-init'];
  console.error(`Name a suite: npm run conformance -- ${names.join(' | ')}`);
  process.exit(2);
}

const cloud = await RunningCloud.start(TEMPEST_CLOUD);
let run: SuiteRun;
try {
  const tempest = await Tempest.install(cloud.cloudsYaml, 'cumulet-admin', TEMPEST_CONF);
  try {
    run = {
      suite: name,
      title: `${suite.title} ${await tempest.version(suite.package)}`,
      date: new Date().toISOString().slice(0, 10),
      results: await tempest.runMatching(suite.tests),
      reasons: knownReasons(name),
    };
    console.log(tempest.output);
  } finally {
    await tempest.remove();
  }
} finally {
  await cloud.remove();
}
const section = sectionOf(run);
await writeFile(DOCUMENT, withSection(await readFile(DOCUMENT, 'utf8'), name, section));
console.log(section);

const { unexplained, outdated } = faultsOf(run);
for (const id of unexplained) console.error(`No reason is given why this does not pass: ${id}`);
for (const start of outdated) console.error(`All of this passes; remove its reason: ${start}`);
process.exitCode = run.results.size === 0 || unexplained.length + outdated.length > 0 ? 1 : 0;
