/**
 * `npm run conformance -- <suite>`: the whole of a foreign suite against a cloud of its own, and its
 * results to docs/conformance.md. Exits with 1 where the reasons in conformance/lists do not fit.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { FOREIGN_SUITES } from './support/foreign-suites.js';
import { faultsOf, sectionOf, withSection } from './support/suite-report.js';

const DOCUMENT = new URL('../docs/conformance.md', import.meta.url);

const [name = ''] = process.argv.slice(2);
const suite = FOREIGN_SUITES[name];
if (suite === undefined) {
  const names = [...Object.keys(FOREIGN_SUITES), 'acceptance', 'cloud-init'];
  console.error(`Name a suite: npm run conformance -- ${names.join(' | ')}`);
  process.exit(2);
}

const run = await suite();
const section = sectionOf(run);
await writeFile(DOCUMENT, withSection(await readFile(DOCUMENT, 'utf8'), name, section));
console.log(section);

const { unexplained, outdated } = faultsOf(run);
for (const id of unexplained) console.error(`No reason is given why this does not pass: ${id}`);
for (const start of outdated) console.error(`All of this passes; remove its reason: ${start}`);
process.exitCode = run.results.size === 0 || unexplained.length + outdated.length > 0 ? 1 : 0;
