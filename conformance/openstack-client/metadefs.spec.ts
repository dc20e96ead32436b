/** Metadata definitions with the stock clients: every command that the openstack client has. */
import { describe, expect, it } from '@jest/globals';
import { GlanceClient } from '../support/glance-client.js';
import type { OpenStackClient } from '../support/openstack-client.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, unknown>>;

let admin: OpenStackClient;
let demo: OpenStackClient;
let glance: GlanceClient;

withProject(async (own) => {
  ({ admin, demo } = own);
  glance = await GlanceClient.install(own.cloudsYaml, 'cumulet-admin');
});

/** Runs `openstack image metadef <args>`, and parses its output. */
const json = <T = Fields>(...args: string[]): Promise<T> =>
  admin.json<T>('image', 'metadef', ...args);

const run = (...args: string[]): Promise<string> => admin.text('image', 'metadef', ...args);

/** A list's first column. */
async function listed(client: OpenStackClient, ...args: string[]): Promise<unknown[]> {
  const rows = await client.json<Fields[]>('image', 'metadef', ...args);
  return rows.map((row) => Object.values(row)[0]);
}

describe('the openstack client manages', () => {
  it(
    'namespaces and their tags',
    async () => {
      const created = await json(
        ...words`namespace create --public --protected --display-name Paint`,
        ...words`--description colours OS::Paint`,
      );
      expect(created).toMatchObject({
        namespace: 'OS::Paint',
        display_name: 'Paint',
        description: 'colours',
        visibility: 'public',
        protected: true,
      });
      const refused = await admin.refusal(...words`image metadef namespace delete OS::Paint`);
      expect(refused).toContain("Namespace 'OS::Paint' is protected and cannot be deleted");
      expect(await listed(demo, ...words`namespace list --visibility public`)).toContain(
        'OS::Paint',
      );

      await run(...words`namespace set --unprotected --private --tag red --tag blue OS::Paint`);
      const set = await json(...words`namespace show OS::Paint`);
      expect(set).toMatchObject({
        visibility: 'private',
        protected: false,
        tags: expect.arrayContaining([{ name: 'blue' }, { name: 'red' }]),
      });
      expect(await demo.refusal(...words`image metadef namespace show OS::Paint`)).toContain(
        "No metadata definition namespace 'OS::Paint' found",
      );

      await run(...words`namespace unset --tag red OS::Paint`);
      const untagged = await json(...words`namespace show OS::Paint`);
      expect(untagged).toMatchObject({ tags: [{ name: 'blue' }] });
      await run(...words`namespace unset --all-tags OS::Paint`);
      expect(await json(...words`namespace show OS::Paint`)).toMatchObject({ tags: [] });

      await run(...words`namespace delete OS::Paint`);
      expect(await listed(admin, ...words`namespace list`)).toEqual([]);
    },
    10 * MINUTES,
  );

  it(
    'objects, with the properties that the glance client gives them',
    async () => {
      await run(...words`namespace create --public OS::Objects`);
      const created = await json(...words`object create --namespace OS::Objects first`);
      expect(created).toMatchObject({ name: 'first', properties: {}, required: [] });
      await run(...words`object update --name second OS::Objects first`);
      expect(await json(...words`object show OS::Objects second`)).toMatchObject({
        name: 'second',
        namespace_name: 'OS::Objects',
      });
      const schema = { properties: { size: { type: 'integer', title: 'Size', minimum: 1 } } };
      await glance.text(
        ...words`md-object-create --name whole --schema ${JSON.stringify(schema)} OS::Objects`,
      );
      expect(await json(...words`object property show OS::Objects whole size`)).toEqual({
        name: 'size',
        ...schema.properties.size,
      });
      await run(...words`object delete OS::Objects second`);
      expect(await listed(demo, ...words`object list OS::Objects`)).toEqual(['whole']);
      await run(...words`object delete OS::Objects`);
      expect(await listed(admin, ...words`object list OS::Objects`)).toEqual([]);
    },
    10 * MINUTES,
  );

  it(
    'properties',
    async () => {
      await run(...words`namespace create --public OS::Properties`);
      const schema = { description: 'how many', minimum: 1, default: 2, enum: ['1', '2'] };
      const create = words`property create --title Count --type integer OS::Properties`;
      const property = { title: 'Count', type: 'integer', ...schema };
      const given = JSON.stringify(schema);
      expect(await json(...create, ...words`--schema ${given} --name count`)).toEqual({
        name: 'count',
        ...property,
      });
      await run(...create, ...words`--schema {} --name other`);
      await run(...words`property set --title Number --name number OS::Properties count`);
      expect(await json(...words`property show OS::Properties number`)).toEqual({
        name: 'number',
        ...property,
        title: 'Number',
      });
      const names = await listed(demo, ...words`property list OS::Properties`);
      expect([...names].sort()).toEqual(['number', 'other']);
      await run(...words`property delete OS::Properties number`);
      expect(await listed(admin, ...words`property list OS::Properties`)).toEqual(['other']);
      await run(...words`property delete OS::Properties`);
      expect(await listed(admin, ...words`property list OS::Properties`)).toEqual([]);
    },
    10 * MINUTES,
  );

  it(
    'resource types, by what namespaces are associated with',
    async () => {
      await run(...words`namespace create --public OS::Types`);
      const associations = words`resource type association`;
      const created = await json(
        ...associations,
        ...words`create --properties-target image OS::Types OS::Heat::Stack`,
      );
      expect(created).toMatchObject({ name: 'OS::Heat::Stack', properties_target: 'image' });
      expect(await listed(demo, ...associations, ...words`list OS::Types`)).toEqual([
        'OS::Heat::Stack',
      ]);
      expect(await listed(demo, ...words`namespace list --resource-types OS::Heat::Stack`)).toEqual(
        ['OS::Types'],
      );

      await run(...words`namespace set --protected OS::Types`);
      const remove = words`delete OS::Types OS::Heat::Stack`;
      await run(...associations, ...remove, '--force');
      expect(await listed(admin, ...associations, ...words`list OS::Types`)).toEqual([]);
      expect(await json(...words`namespace show OS::Types`)).toMatchObject({ protected: true });
      expect(await listed(demo, ...words`resource type list`)).toEqual([
        'OS::Cinder::Volume',
        'OS::Glance::Image',
        'OS::Heat::Stack',
        'OS::Nova::Aggregate',
        'OS::Nova::Flavor',
        'OS::Nova::Server',
      ]);
    },
    10 * MINUTES,
  );
});

describe('the openstack client says why', () => {
  it(
    'somebody may not do what only administrators may',
    async () => {
      const refused = await demo.refusal(...words`image metadef namespace create OS::Mine`);
      expect(refused).toContain('403');
    },
    10 * MINUTES,
  );
});
