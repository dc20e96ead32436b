/**
 * Acting for another user with the stock client: application credentials, trusts, EC2 credentials
 * and tokens, and what remains of them once they are revoked.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { loginVariables, passwordVariables } from '../support/login-variables.js';
import type { OpenStackClient } from '../support/openstack-client.js';
import type { RunningCloud } from '../support/running-cloud.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, string>>;

let cloud: RunningCloud;
let admin: OpenStackClient;
let demo: OpenStackClient;
let folder: string;
let project: string;

function login(proof: Readonly<Record<string, string>>): OpenStackClient {
  return admin.with(loginVariables(cloud.url, proof));
}

function user(name: string, scope: Readonly<Record<string, string>>): OpenStackClient {
  return admin.with(passwordVariables(cloud.url, [name, 'secret'], scope));
}

/** A program that acts by an application credential. */
function robot({ ID = '', Secret = '' }: Fields): OpenStackClient {
  return login({
    OS_AUTH_TYPE: 'v3applicationcredential',
    OS_APPLICATION_CREDENTIAL_ID: ID,
    OS_APPLICATION_CREDENTIAL_SECRET: Secret,
  });
}

withProject((own) => {
  ({ cloud, admin, demo, folder, project } = own);
});

describe('an application credential', () => {
  it(
    'logs in with the roles that it was given, and makes no other',
    async () => {
      const created = await demo.json<Fields>(
        ...words`application credential create --role reader --expiration 2099-12-31T23:59:59 reads`,
      );
      expect(created).toMatchObject({
        Name: 'reads',
        Roles: [expect.objectContaining({ name: 'reader' })],
        Unrestricted: false,
        'Expires At': '2099-12-31T23:59:59.000000',
      });
      await robot(created).json(...words`image list`);
      const upload = words`image create --disk-format raw --container-format bare denied`;
      expect(await robot(created).refusal(...upload)).toMatch(/403: .* needs the role member/);
      const another = words`application credential create another`;
      expect(await robot(created).refusal(...another)).toMatch(/403: /);
    },
    10 * MINUTES,
  );

  it(
    'is shown without its secret, and logs nobody in once it is deleted',
    async () => {
      const created = await demo.json<Fields>(
        ...words`application credential create --unrestricted --secret hush everything`,
      );
      expect(created).toMatchObject({ Secret: 'hush', Unrestricted: true });
      await robot(created).text(...words`token issue`);
      const [shown, listed] = await Promise.all([
        demo.json<Fields>(...words`application credential show everything`),
        demo.json<Fields[]>(...words`application credential list`),
      ]);
      expect(shown).toMatchObject({ ID: created['ID'] });
      expect(JSON.stringify([shown, listed])).not.toContain('hush');
      expect(listed.map(({ Name }) => Name)).toContain('everything');
      await demo.text(...words`application credential delete everything`);
      expect(await robot(created).refusal(...words`token issue`)).toContain('HTTP 401');
    },
    10 * MINUTES,
  );

  it(
    'with access rules does what they say, in every service, and nothing else',
    async () => {
      const rules = join(folder, 'rules.json');
      await writeFile(
        rules,
        JSON.stringify([{ service: 'image', method: 'GET', path: '/v2/images' }]),
      );
      const created = await demo.json<Fields>(
        ...words`application credential create --access-rules ${rules} lists`,
      );
      await robot(created).json(...words`image list`);
      const upload = words`image create --disk-format raw --container-format bare denied`;
      expect(await robot(created).refusal(...upload)).toMatch(/403: /);
      expect(await robot(created).refusal(...words`server list`)).toMatch(/403: /);

      const listed = await demo.json<Fields[]>(...words`access rule list`);
      expect(listed).toEqual([
        expect.objectContaining({ Service: 'image', Method: 'GET', Path: '/v2/images' }),
      ]);
      const id = listed[0]?.['ID'] ?? '';
      expect(await demo.json(...words`access rule show ${id}`)).toMatchObject({
        Method: 'GET',
        Path: '/v2/images',
      });
      expect(await demo.refusal(...words`access rule delete ${id}`)).toMatch(/403/);
      await demo.text(...words`application credential delete lists`);
      await demo.text(...words`access rule delete ${id}`);
      expect(await demo.json(...words`access rule list`)).toEqual([]);
    },
    10 * MINUTES,
  );
});

describe('a trust', () => {
  it(
    'lets another user act until it is deleted',
    async () => {
      // By id: only administrators can look things up by name.
      const [own, { id: role = '' }, { id: trustee = '' }] = await Promise.all([
        demo.json<Fields>(...words`token issue`),
        admin.json<Fields>(...words`role show member`),
        admin.json<Fields>(...words`user create --password secret deputy`),
      ]);
      const { user_id: trustor = '', project_id: projectId = '' } = own;
      const created = await demo.json<Fields>(
        ...words`trust create --project ${projectId} --role ${role} --impersonate ${trustor} ${trustee}`,
      );
      const id = created['id'] ?? '';
      expect(created).toMatchObject({ is_impersonation: true, trustee_user_id: trustee });
      const deputy = user('deputy', { OS_TRUST_ID: id });
      const [token, shown, listed] = await Promise.all([
        deputy.json<Fields>(...words`token issue`),
        demo.json<Fields>(...words`trust show ${id}`),
        demo.json<Fields[]>(...words`trust list --trustor ${trustor}`),
      ]);
      expect(token).toMatchObject({ user_id: trustor, project_id: projectId });
      expect(shown).toMatchObject({ trustor_user_id: trustor });
      expect(listed.map(({ ID }) => ID)).toEqual([id]);
      await demo.text(...words`trust delete ${id}`);
      expect(await deputy.refusal(...words`token issue`)).toContain('HTTP 401');
    },
    10 * MINUTES,
  );
});

describe('an EC2 credential', () => {
  it(
    'is created, listed, shown and deleted by its user',
    async () => {
      const created = await demo.json<Fields>(...words`ec2 credentials create`);
      const access = created['access'] ?? '';
      expect(created['secret']).toMatch(/\S{32,}/);
      const [listed, shown] = await Promise.all([
        demo.json<Fields[]>(...words`ec2 credentials list`),
        demo.json<Fields>(...words`ec2 credentials show ${access}`),
      ]);
      expect(listed.map(({ Access }) => Access)).toEqual([access]);
      expect(shown).toMatchObject({ access, project_id: created['project_id'] });
      await demo.text(...words`ec2 credentials delete ${access}`);
      expect(await demo.json(...words`ec2 credentials list`)).toEqual([]);
    },
    10 * MINUTES,
  );
});

describe('an EC2 credential of an application credential', () => {
  it(
    'is made by an unrestricted one alone, which sees no other, and goes with it',
    async () => {
      const [restricted, unrestricted] = [
        await demo.json<Fields>(...words`application credential create --role reader bound`),
        await demo.json<Fields>(
          ...words`application credential create --role reader --unrestricted maker`,
        ),
      ];
      const refused = await robot(restricted).refusal(...words`ec2 credentials create`);
      expect(refused).toMatch(/403/);
      const inPerson = await demo.json<Fields>(...words`ec2 credentials create`);
      const maker = robot(unrestricted);
      const made = await maker.json<Fields>(...words`ec2 credentials create`);
      expect(made).toMatchObject({ project_id: inPerson['project_id'] });
      const accessOf = (listed: readonly Fields[]): unknown[] => listed.map(({ Access }) => Access);
      const list = words`ec2 credentials list`;
      expect(accessOf(await maker.json<Fields[]>(...list))).toEqual([made['access']]);
      expect(accessOf(await demo.json<Fields[]>(...list)).sort()).toEqual(
        [made['access'], inPerson['access']].sort(),
      );
      const hidden = words`ec2 credentials show ${inPerson['access'] ?? ''}`;
      expect(await maker.refusal(...hidden)).toMatch(/403/);
      await demo.text(...words`application credential delete maker`);
      expect(accessOf(await demo.json<Fields[]>(...list))).toEqual([inPerson['access']]);
      await demo.text(...words`ec2 credentials delete ${inPerson['access'] ?? ''}`);
    },
    10 * MINUTES,
  );
});

describe('a token', () => {
  /** Sends this very token to a service, without requesting another. */
  const bearer = (token: string, path: string): OpenStackClient =>
    admin.with({ OS_AUTH_TYPE: 'admin_token', OS_TOKEN: token, OS_ENDPOINT: cloud.url + path });

  const statusOf = async (token: string, path: string): Promise<number> => {
    const response = await fetch(cloud.url + path, { headers: { 'X-Auth-Token': token } });
    return response.status;
  };

  it(
    'that its user revokes is good for nothing any more',
    async () => {
      const { id = '', project_id: projectId = '' } = await demo.json<Fields>(
        ...words`token issue`,
      );
      const again = login({ OS_AUTH_TYPE: 'token', OS_TOKEN: id, OS_PROJECT_ID: projectId });
      await again.text(...words`token issue`);
      await demo.text(...words`token revoke ${id}`);
      expect(await again.refusal(...words`token issue`)).toContain('HTTP 404');
    },
    10 * MINUTES,
  );

  it(
    'of a user who is disabled is soon refused by images and compute',
    async () => {
      await admin.text(...words`user create --password secret leaver`);
      await admin.text(...words`role add --user leaver --project ${project} member`);
      const leaver = user('leaver', { OS_PROJECT_NAME: project });
      const { id = '' } = await leaver.json<Fields>(...words`token issue`);
      const asks = ['/image/v2/images', '/compute/v2.1/servers'];
      await bearer(id, '/image/v2').json(...words`image list`);
      expect(await Promise.all(asks.map((path) => statusOf(id, path)))).toEqual([200, 200]);

      await admin.text(...words`user set --disable leaver`);
      await eventually('a refusal by both', 3 * MINUTES, async () => {
        const statuses = await Promise.all(asks.map((path) => statusOf(id, path)));
        return statuses.every((status) => status === 401) ? true : undefined;
      });
      expect(await bearer(id, '/image/v2').refusal(...words`image list`)).toMatch(/401: /);
    },
    10 * MINUTES,
  );
});
