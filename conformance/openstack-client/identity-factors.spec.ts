/** Identity with the stock client: several factors, and what a project sees of the catalog. */
import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { OpenStackClient } from '../support/openstack-client.js';
import type { RunningCloud } from '../support/running-cloud.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;
const KEY = 'a key of twenty byte';
const KEY_IN_BASE32 = 'MEQGWZLZEBXWMIDUO5SW45DZEBRHS5DF';

let cloud: RunningCloud;
let admin: OpenStackClient;
let folder: string;
let project: string;

withProject((own) => {
  ({ cloud, admin, folder, project } = own);
});

/** RFC 6238, as an authenticator app shows it. */
function passcode(): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const digest = createHmac('sha1', KEY).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7f_ff_ff_ff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** The client of the user `carol`, by its own clouds.yaml. */
async function carol(entry: object, proofs: object): Promise<OpenStackClient> {
  const path = join(folder, 'carol.yaml');
  const auth = {
    auth_url: `${cloud.url}/identity/v3`,
    username: 'carol',
    password: 'secret',
    project_name: project,
    user_domain_id: 'default',
    project_domain_id: 'default',
    ...proofs,
  };
  // JSON is valid YAML.
  await writeFile(path, JSON.stringify({ clouds: { carol: { auth, ...entry } } }));
  return admin.entry(path, 'carol');
}

describe('the openstack client', () => {
  it(
    'logs a user in by a password and a passcode, and by neither alone',
    async () => {
      await admin.text(...words`user create --password secret carol`);
      await admin.text(...words`role add --user carol --project ${project} member`);
      await admin.text(...words`credential create --type totp carol ${KEY_IN_BASE32}`);
      await admin.text(
        ...words`user set --enable-multi-factor-auth --multi-factor-auth-rule password,totp carol`,
      );
      const one = await carol({}, {});
      expect(await one.refusal(...words`token issue`)).toContain(
        "Not all required auth rules were satisfied: [['password', 'totp']]",
      );
      const entry = { auth_type: 'v3multifactor', auth_methods: ['v3password', 'v3totp'] };
      const both = await carol(entry, { passcode: passcode() });
      expect(await both.json(...words`token issue`)).toHaveProperty('project_id');
      const wrong = await carol(entry, { passcode: '0000000' });
      expect(await wrong.refusal(...words`token issue`)).toContain('HTTP 401');
    },
    10 * MINUTES,
  );

  it(
    'gives a project the endpoints of a group, and keeps policies',
    async () => {
      const filters = join(folder, 'filters.json');
      await writeFile(filters, JSON.stringify({ interface: 'public', region_id: 'Far' }));
      await admin.text(...words`project create filtered`);
      await admin.text(...words`region create Far`);
      await admin.text(...words`service create --name climate climate-report`);
      await admin.text(
        ...words`endpoint create --region Far climate public http://climate.example`,
      );
      await admin.text(...words`endpoint group create far ${filters}`);
      await admin.text(...words`endpoint group add project far filtered`);
      const listed = await admin.json<unknown[]>(...words`endpoint list --project filtered`);
      expect(listed).toEqual([expect.objectContaining({ URL: 'http://climate.example' })]);
      const policy = await admin.json<object>(
        ...words`policy create --type application/json ${filters}`,
      );
      expect(policy).toMatchObject({ type: 'application/json' });
    },
    10 * MINUTES,
  );
});
