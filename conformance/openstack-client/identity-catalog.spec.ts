/** Identity with the stock client: the catalog of services, and limits on their use. */
import { describe, expect, it } from '@jest/globals';
import type { OpenStackClient } from '../support/openstack-client.js';
import { withProject } from '../support/with-project.js';
import { words } from '../support/words.js';

const MINUTES = 60_000;

type Fields = Readonly<Record<string, unknown>>;

let admin: OpenStackClient;
let demo: OpenStackClient;
let project: string;

withProject((own) => {
  ({ admin, demo, project } = own);
});

describe('the openstack client describes', () => {
  it(
    'services, their endpoints and regions, as the catalog then shows them',
    async () => {
      const service = await admin.json<Fields>(
        ...words`service create --name weather --description sun weather-report`,
      );
      expect(service).toMatchObject({ name: 'weather', type: 'weather-report', enabled: true });
      await admin.text(...words`region create --parent-region RegionOne RegionTwo`);
      const endpoint = await admin.json<Fields>(
        ...words`endpoint create --region RegionTwo weather public http://weather.example/%(project_id)s`,
      );
      expect(endpoint).toMatchObject({ interface: 'public', region_id: 'RegionTwo' });
      const [regions, endpoints, { endpoints: shown }, catalog] = await Promise.all([
        admin.json<Fields[]>(...words`region list --parent-region RegionOne`),
        admin.json<Fields[]>(...words`endpoint list --service weather`),
        demo.json<{ endpoints: readonly Fields[] }>(...words`catalog show weather`),
        demo.json<Fields[]>(...words`catalog list`),
      ]);
      expect(regions.map(({ Region }) => Region)).toEqual(['RegionTwo']);
      expect(endpoints).toEqual([expect.objectContaining({ 'Service Name': 'weather' })]);
      expect(shown).toEqual([
        expect.objectContaining({
          region_id: 'RegionTwo',
          url: expect.stringMatching(/^http:\/\/weather\.example\/[0-9a-f]{32}$/),
        }),
      ]);
      expect(catalog.map(({ Type }) => Type)).toEqual(
        expect.arrayContaining(['identity', 'image', 'compute', 'weather-report']),
      );
      await admin.text(...words`endpoint set --disable ${String(endpoint['id'])}`);
      expect(await admin.json(...words`endpoint show ${String(endpoint['id'])}`)).toMatchObject({
        enabled: false,
      });
      await admin.text(...words`service set --type forecast weather`);
      expect(await admin.json(...words`service show forecast`)).toMatchObject({
        id: service['id'],
      });
      await admin.text(...words`endpoint delete ${String(endpoint['id'])}`);
      await admin.text(...words`region delete RegionTwo`);
      await admin.text(...words`service delete weather`);
      const services = await admin.json<Fields[]>(...words`service list`);
      expect(services.map(({ Name }) => Name)).not.toContain('weather');
    },
    10 * MINUTES,
  );

  it(
    'limits, for everybody and for one project',
    async () => {
      const common = await admin.json<Fields>(
        ...words`registered limit create --service compute --default-limit 10 --region RegionOne servers`,
      );
      expect(common).toMatchObject({ resource_name: 'servers', default_limit: 10 });
      const own = await admin.json<Fields>(
        ...words`limit create --project ${project} --service compute --region RegionOne --resource-limit 20 servers`,
      );
      expect(own).toMatchObject({ resource_name: 'servers', resource_limit: 20 });
      const [commonId, ownId] = [String(common['id']), String(own['id'])];
      await Promise.all([
        admin.text(...words`registered limit set --default-limit 11 ${commonId}`),
        admin.text(...words`limit set --resource-limit 21 ${ownId}`),
      ]);
      const [commonShown, commonListed, ownShown, ownListed] = await Promise.all([
        admin.json(...words`registered limit show ${commonId}`),
        admin.json<Fields[]>(...words`registered limit list --resource-name servers`),
        admin.json(...words`limit show ${ownId}`),
        demo.json<Fields[]>(...words`limit list`),
      ]);
      expect(commonShown).toMatchObject({ default_limit: 11 });
      expect(commonListed).toEqual([expect.objectContaining({ ID: commonId })]);
      expect(ownShown).toMatchObject({ resource_limit: 21 });
      expect(ownListed).toEqual([expect.objectContaining({ ID: ownId })]);
      expect(await admin.refusal(...words`registered limit delete ${commonId}`)).toContain(
        commonId,
      );
      await admin.text(...words`limit delete ${ownId}`);
      await admin.text(...words`registered limit delete ${commonId}`);
    },
    10 * MINUTES,
  );
});
