/**
 * Extracts from botocore's model of S3 what a request can ask for, as data for tests:
 *
 *     pip download --no-deps botocore && unzip botocore-*.whl 'botocore/data/s3/*'
 *     node scripts/s3-model.mjs <version> botocore/data/s3/2006-03-01/service-2.json.gz
 *
 * It writes `apps/s3/src/operations/amazon-model.fixture.json`: for each operation its method, what
 * it is on, the sub-resource that names it, and the parameters and headers that it may have.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const TARGET = new URL('../apps/s3/src/operations/amazon-model.fixture.json', import.meta.url);

const [version, path] = process.argv.slice(2);
if (!version || !path)
  throw new Error('usage: node scripts/s3-model.mjs <version> <model.json.gz>');
const { operations, shapes } = JSON.parse(gunzipSync(readFileSync(path)).toString());

const rows = Object.values(operations)
  .map(({ name, http: { method, requestUri }, input, deprecated = false }) => {
    const [address, query = ''] = requestUri.split('?');
    const members = Object.values(shapes[input?.shape]?.members ?? {});
    return {
      name,
      method,
      on: placeOf(address),
      query,
      parameters: namesIn(members, ['querystring']),
      headers: namesIn(members, ['header', 'headers']).map((one) => one.toLowerCase()),
      deprecated,
    };
  })
  .sort((one, other) => (one.name < other.name ? -1 : 1));

writeFileSync(TARGET, `${JSON.stringify({ botocore: version, operations: rows }, null, 2)}\n`);

function placeOf(address) {
  if (address === '/') return 'service';
  return address.includes('{Key+}') ? 'object' : 'bucket';
}

function namesIn(members, locations) {
  return members
    .filter(({ location }) => locations.includes(location))
    .map(({ locationName }) => locationName)
    .sort();
}
