/** Identity with the stock client: users, groups and what their roles permit. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { cumulet } from '../support/cumulet-command.js';
import { passwordVariables } from '../support/login-variables.js';
import type { OpenStackClient } from '../support/openstack-client.js';
import type { RunningCloud } from '../support/running-cloud.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, unknown>>;

let cloud: RunningCloud;
let admin: OpenStackClient;
let demo: OpenStackClient;
let folder: string;
/** The name of the spec's own project, and of its member. */
let project: string;

function user(name: string, password: string, where: string): OpenStackClient {
  const scope = { OS_PROJECT_NAME: where };
  return admin.with(passwordVariables(cloud.url, [name, password], scope));
}

withProject((own) => {
  ({ cloud, admin, demo, folder, project } = own);
});

describe('the openstack client manages', () => {
  it(
    'domains',
    async () => {
      const created = await admin.json<Fields>(...words`domain create --description up north`);
      expect(created).toMatchObject({ name: 'north', description: 'up', enabled: true });
      await admin.text(...words`domain set --disable --name south north`);
      expect(await admin.json(...words`domain show south`)).toMatchObject({
        id: created['id'],
        enabled: false,
      });
      await admin.text(...words`domain delete south`);
      const domains = await admin.json<Fields[]>(...words`domain list`);
      const names = domains.map(({ Name }) => Name);
      // The users', and those of the clusters' trustees and of users of stacks.
      expect(names).toEqual(expect.arrayContaining(['Default', 'cluster-trustees', 'stack-users']));
      expect(names).not.toContain('south');
    },
    10 * MINUTES,
  );

  it(
    'projects, one below another, with properties and tags',
    async () => {
      const top = await admin.json<Fields>(...words`project create --property team=red top`);
      expect(top).toMatchObject({ name: 'top', team: 'red', enabled: true, domain_id: 'default' });
      const sub = await admin.json<Fields>(
        ...words`project create --parent top --tag blue --tag big sub`,
      );
      expect(sub).toMatchObject({
        parent_id: top['id'],
        tags: expect.arrayContaining(['blue', 'big']),
      });
      await admin.text(...words`project set --disable --property team=green --remove-tag big sub`);
      const [shown, tagged, children] = await Promise.all([
        admin.json<Fields>(...words`project show --parents sub`),
        admin.json<Fields[]>(...words`project list --tags blue`),
        admin.json<Fields[]>(...words`project list --parent top`),
      ]);
      expect(shown).toMatchObject({
        team: 'green',
        tags: ['blue'],
        enabled: false,
        parents: { [String(top['id'])]: { default: null } },
      });
      expect(tagged.map(({ Name }) => Name)).toEqual(['sub']);
      expect(children.map(({ Name }) => Name)).toEqual(['sub']);
      await admin.text(...words`project delete sub top`);
      expect(await admin.refusal(...words`project show top`)).toContain('No Project found for top');
    },
    10 * MINUTES,
  );

  it(
    'users, who set their password themselves',
    async () => {
      const created = await admin.json<Fields>(
        ...words`user create --project ${project} --email ann@example.org --password first ann`,
      );
      expect(created).toMatchObject({ name: 'ann', email: 'ann@example.org', enabled: true });
      expect(created).not.toHaveProperty('password');
      await admin.text(...words`role add --user ann --project ${project} member`);
      await user('ann', 'first', project).text(
        ...words`user password set --original-password first --password second`,
      );
      expect(await user('ann', 'first', project).refusal(...words`token issue`)).toContain(
        'HTTP 401',
      );
      await user('ann', 'second', project).text(...words`token issue`);
      await admin.text(...words`user set --email ann@example.com --disable ann`);
      expect(await user('ann', 'second', project).refusal(...words`token issue`)).toContain(
        'HTTP 401',
      );
      const [shown, listed] = await Promise.all([
        admin.json<Fields>(...words`user show ann`),
        admin.json<Fields[]>(...words`user list --project ${project} --long`),
      ]);
      expect(shown).toMatchObject({ email: 'ann@example.com', enabled: false });
      expect(listed).toContainEqual(
        expect.objectContaining({ Name: 'ann', Email: 'ann@example.com', Enabled: false }),
      );
      await admin.text(...words`user delete ann`);
      expect(await admin.refusal(...words`user show ann`)).toContain('No User found for ann');
    },
    10 * MINUTES,
  );

  it(
    'groups and who is in them',
    async () => {
      await admin.text(...words`group create --description all crew`);
      await admin.text(...words`group add user crew ${project}`);
      const [contains, members, groups] = await Promise.all([
        admin.text(...words`group contains user crew ${project}`),
        admin.json<Fields[]>(...words`user list --group crew`),
        admin.json<Fields[]>(...words`group list --user ${project}`),
      ]);
      expect(contains).toContain(`${project} in group crew`);
      expect(members.map(({ Name }) => Name)).toEqual([project]);
      expect(groups.map(({ Name }) => Name)).toEqual(['crew']);
      await admin.text(...words`group set --name staff crew`);
      await admin.text(...words`group remove user staff ${project}`);
      const { stderr } = await admin.run(...words`group contains user staff ${project}`);
      expect(stderr).toContain(`${project} not in group staff`);
      await admin.text(...words`group delete staff`);
    },
    10 * MINUTES,
  );
});

describe('the openstack client gives and takes', () => {
  interface Assignment {
    readonly Role: string;
    readonly User: string;
    readonly Group: string;
    readonly Project: string;
    readonly Domain: string;
    readonly System: string;
    readonly Inherited: boolean;
  }

  const assignments = (args: readonly string[]): Promise<Assignment[]> =>
    admin.json<Assignment[]>('role', 'assignment', 'list', '--names', ...args);

  beforeAll(async () => {
    await Promise.all([
      admin.text(...words`user create --password secret bob`),
      admin.text(...words`group create team`),
      admin.text(...words`project create field`),
      admin.text(...words`domain create east`),
    ]);
    await admin.text(...words`project create --parent field plot`);
  }, 5 * MINUTES);

  it.each([
    [
      'a user in a project',
      words`--user bob --project field`,
      { User: 'bob@Default', Project: 'field@Default' },
    ],
    [
      'a group in a project',
      words`--group team --project field`,
      { Group: 'team@Default', Project: 'field@Default' },
    ],
    [
      'a user in a domain',
      words`--user bob --domain east`,
      { User: 'bob@Default', Domain: 'east' },
    ],
    [
      'a group in a domain',
      words`--group team --domain east`,
      { Group: 'team@Default', Domain: 'east' },
    ],
    [
      'a user in the system',
      words`--user bob --system all`,
      { User: 'bob@Default', System: 'all' },
    ],
    [
      'a group in the system',
      words`--group team --system all`,
      { Group: 'team@Default', System: 'all' },
    ],
  ])(
    'a role of %s',
    async (_, place, expected) => {
      await admin.text('role', 'add', ...place, 'reader');
      expect(await assignments(place)).toEqual([
        expect.objectContaining({ Role: 'reader', Inherited: false, ...expected }),
      ]);
      await admin.text('role', 'remove', ...place, 'reader');
      expect(await assignments(place)).toEqual([]);
    },
    10 * MINUTES,
  );

  it(
    'a role that projects below inherit, effective for the members of a group',
    async () => {
      await admin.text(...words`group add user team bob`);
      await admin.text(...words`role add --inherited --group team --project field member`);
      const [given, effective] = await Promise.all([
        assignments(words`--group team`),
        assignments(words`--effective --user bob --project plot`),
      ]);
      expect(given).toEqual([
        expect.objectContaining({ Role: 'member', Project: 'field@Default', Inherited: true }),
      ]);
      expect(effective.map(({ Role }) => Role).sort()).toEqual(['member', 'reader']);
      expect(effective.map(({ Project }) => Project)).toEqual(['plot@Default', 'plot@Default']);
      await user('bob', 'secret', 'plot').text(...words`token issue`);
      const above = user('bob', 'secret', 'field');
      expect(await above.refusal(...words`token issue`)).toContain('HTTP 401');
      await admin.text(...words`role remove --inherited --group team --project field member`);
    },
    10 * MINUTES,
  );

  it(
    'roles of its own, and what they imply',
    async () => {
      await Promise.all([
        admin.text(...words`role create --description flies pilot`),
        admin.text(...words`role create lookout`),
      ]);
      const implied = await admin.json<Fields>(
        ...words`implied role create --implied-role lookout pilot`,
      );
      expect(Object.keys(implied)).toEqual(expect.arrayContaining(['implies', 'prior_role']));
      await admin.text(...words`role add --user bob --project field pilot`);
      const [rules, effective, shown] = await Promise.all([
        admin.json<Fields[]>(...words`implied role list`),
        assignments(words`--effective --user bob --project field`),
        admin.json<Fields>(...words`role show pilot`),
      ]);
      expect(rules).toContainEqual(
        expect.objectContaining({ 'Prior Role Name': 'pilot', 'Implied Role Name': 'lookout' }),
      );
      expect(effective.map(({ Role }) => Role).sort()).toEqual(['lookout', 'pilot']);
      expect(shown).toMatchObject({ name: 'pilot', description: 'flies' });
      await admin.text(...words`implied role delete --implied-role lookout pilot`);
      const after = await assignments(words`--effective --user bob --project field`);
      expect(after.map(({ Role }) => Role)).toEqual(['pilot']);
      await admin.text(...words`role remove --user bob --project field pilot`);
      await admin.text(...words`role delete pilot lookout`);
      expect(await admin.refusal(...words`role show pilot`)).toContain('No Role found for pilot');
    },
    10 * MINUTES,
  );
});

describe('the command cumulet', () => {
  it(
    'makes a tenant in one step, whose entry the openstack client logs in with',
    async () => {
      const made = await cumulet(cloud, ...words`project create acme --user wile --role reader`);
      expect(made).toMatchObject({
        exitCode: 0,
        stderr: expect.stringMatching(/^The project acme/m),
      });
      const file = join(folder, 'acme.yaml');
      await writeFile(file, made.stdout);
      const wile = admin.entry(file, 'acme');
      const [token, shown] = await Promise.all([
        wile.json<Fields>(...words`token issue`),
        admin.json<Fields>(...words`user show wile`),
      ]);
      expect(token).toMatchObject({
        user_id: shown['id'],
        project_id: shown['default_project_id'],
      });
      await wile.text(...words`image list`);

      const again = await cumulet(cloud, ...words`project create acme --user other`);
      expect(again).toMatchObject({ exitCode: 1, stdout: '' });
      expect(again.stderr).toMatch(/^cumulet: A project with the name 'acme' exists already/m);
      expect(await admin.refusal(...words`user show other`)).toContain('No User found for other');
    },
    10 * MINUTES,
  );
});

describe('the openstack client says why', () => {
  it(
    'a name cannot be given again',
    async () => {
      expect(await admin.refusal(...words`project create ${project}`)).toMatch(
        new RegExp(`409: .* A project with the name '${project}' exists already`),
      );
    },
    10 * MINUTES,
  );

  it(
    'somebody may not do what only administrators may',
    async () => {
      expect(await demo.refusal(...words`user create mallory`)).toMatch(
        /403: .* identity:create_user/,
      );
    },
    10 * MINUTES,
  );
});
