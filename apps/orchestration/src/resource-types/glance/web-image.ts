/**
 * An image whose data the service fetches. Public source: Image API reference, "Import an image".
 */
import type { Properties } from '../../constraints/property-schema.js';
import { PropertyError } from '../../constraints/property.errors.js';
import { ownOf, type JsonObject } from '../../json/json.js';
import { isSame } from '../../json/same-json.js';
import { flag, integer, list, listOf, map, oneOf, range, text, UPDATABLE } from '../declare.js';
import {
  asObjects,
  asText,
  flagIn,
  given,
  listIn,
  mapIn,
  textIn,
  textsIn,
  withoutGaps,
} from '../property-values.js';
import { ResourceInErrorError } from '../resource-type.errors.js';
import type { ExistingScope, ResourceType } from '../resource-type.js';
import { nameOf, restResource } from '../rest-resource.js';
import { part, ServiceCalls } from '../service-calls.js';

const AMAZON = ['ami', 'ari', 'aki'];
const ID = {
  kind: 'pattern',
  pattern:
    '^([0-9a-fA-F]){8}-([0-9a-fA-F]){4}-([0-9a-fA-F]){4}-([0-9a-fA-F]){4}-([0-9a-fA-F]){12}$',
} as const;

/** Fields that a patch replaces, takes away or adds. */
const PATCHED = [
  'protected',
  'tags',
  'architecture',
  'kernel_id',
  'os_distro',
  'os_version',
  'owner',
  'visibility',
  'ramdisk_id',
];

const calls = (scope: ExistingScope): ServiceCalls => new ServiceCalls(scope, 'images');
const pathOf = ({ row }: ExistingScope): string => `/v2/images/${part(row.physicalId)}`;

const plain = restResource({
  name: 'OS::Glance::WebImage',
  description: 'An image whose data the service fetches from a URL.',
  support: { status: 'SUPPORTED', version: '12.0.0' },
  api: { service: 'images', collection: '/v2/images', entity: null },
  properties: {
    name: text('The name of the image; others may have the same.'),
    id: text('Its id; by default one is made.'),
    min_disk: integer('GiB of disk that it needs at least.', {
      default: 0,
      constraints: [range(0)],
    }),
    min_ram: integer('MiB of memory that it needs at least.', {
      default: 0,
      constraints: [range(0)],
    }),
    protected: flag('Whether it may not be deleted.', { updatable: true, default: false }),
    disk_format: text('The format of its disk.', {
      required: true,
      constraints: [oneOf(...AMAZON, 'vhd', 'vhdx', 'vmdk', 'raw', 'qcow2', 'vdi', 'iso', 'ploop')],
    }),
    container_format: text('What its disk is in.', {
      required: true,
      constraints: [oneOf(...AMAZON, 'bare', 'ovf', 'ova', 'docker')],
    }),
    location: text('The URL of its data.', { required: true }),
    tags: list('Its tags.', UPDATABLE),
    architecture: text('The processor that it runs on.', UPDATABLE),
    kernel_id: text('The image of its kernel.', { ...UPDATABLE, constraints: [ID] }),
    os_distro: text('The distribution of its system.', UPDATABLE),
    os_version: text('The version of its system.', UPDATABLE),
    owner: text('The project whose it is to be; for administrators.', UPDATABLE),
    extra_properties: map('What else is said of it.', {
      updatable: true,
      default: {},
      since: '17.0.0',
    }),
    visibility: text('Who may use it.', {
      updatable: true,
      default: 'private',
      constraints: [oneOf('public', 'private', 'community', 'shared')],
    }),
    ramdisk_id: text('The image of its RAM disk.', { ...UPDATABLE, constraints: [ID] }),
    active: flag('Whether it may be used; for administrators.', {
      updatable: true,
      default: true,
      since: '16.0.0',
    }),
    members: listOf(text('A project.'), 'Projects that it is shared with.', {
      updatable: true,
      since: '16.0.0',
    }),
  },
  attributes: {},
  validate(properties) {
    const [container, disk] = ['container_format', 'disk_format'].map((one) =>
      textIn(properties, one),
    );
    if (AMAZON.includes(container ?? '') && disk !== container)
      throw new PropertyError(
        'disk_format',
        `With the container format ${container ?? ''} the disk format must be the same, not ${disk ?? ''}.`,
      );
    const isShared = textIn(properties, 'visibility') === 'shared';
    if ((listIn(properties, 'members') ?? []).length > 0 && !isShared)
      throw new PropertyError('members', 'members requires visibility to be shared.');
  },
  fields: null,
  body: (properties, scope) => ({
    ...extraOf(properties),
    ...given(properties, 'id', 'min_disk', 'min_ram', 'disk_format', 'container_format'),
    ...given(properties, ...PATCHED),
    name: nameOf(properties, scope),
  }),
});

function extraOf(properties: Properties): JsonObject {
  const extra = Object.entries(mapIn(properties, 'extra_properties') ?? {});
  return Object.fromEntries(extra.map(([name, value]) => [name, asText(value)]));
}

export const webImage: ResourceType = {
  ...plain,

  async isCreated(scope) {
    const image = await shownOf(scope);
    const status = asText(image['status']);
    if (status === 'killed') throw new ResourceInErrorError(status, reasonOf(image));
    if (asText(image['os_glance_failed_import']) !== '')
      throw new ResourceInErrorError(status, reasonOf(image));
    if (status === 'queued') {
      const method = { name: 'web-download', uri: textIn(scope.properties, 'location') ?? '' };
      await calls(scope).act(`${pathOf(scope)}/import`, { method });
    }
    if (!['active', 'deactivated'].includes(status)) return false;
    await settleActive(scope, status);
    await settleMembers(scope, calls(scope));
    return true;
  },

  async update(scope, { before, changed }) {
    const patch = patchOf(before, scope.properties);
    const headers = { 'content-type': 'application/openstack-images-v2.1-json-patch' };
    if (patch.length > 0) await calls(scope).patch(pathOf(scope), patch, headers);
    if (changed.has('active')) await settleActive(scope, asText((await shownOf(scope))['status']));
    if (changed.has('members')) await settleMembers(scope, calls(scope));
    return {};
  },
};

async function shownOf(scope: ExistingScope): Promise<JsonObject> {
  const image = await calls(scope).find(pathOf(scope));
  if (!image)
    throw new ResourceInErrorError('deleted', `There is no image ${scope.row.physicalId}.`);
  return image;
}

function reasonOf(image: JsonObject): string {
  return asText(image['os_glance_status_reason']) || 'The data could not be fetched.';
}

async function settleActive(scope: ExistingScope, status: string): Promise<void> {
  const isWanted = flagIn(scope.properties, 'active') !== false;
  if (isWanted === (status === 'active')) return;
  const action = isWanted ? 'reactivate' : 'deactivate';
  await calls(scope).act(`${pathOf(scope)}/actions/${action}`, {});
}

/** Public source: Image API reference, "Update an image". */
function patchOf(before: Properties, after: Properties): readonly JsonObject[] {
  const [old, wanted] = [before, after].map((one) =>
    withoutGaps({ ...extraOf(one), ...given(one, ...PATCHED) }),
  ) as [JsonObject, JsonObject];
  const names = [...new Set([...Object.keys(old), ...Object.keys(wanted)])];
  return names.flatMap((name) => {
    const [value, path] = [
      ownOf(wanted, name),
      `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    ];
    if (isSame(value, ownOf(old, name))) return [];
    if (value !== undefined)
      return [{ op: Object.hasOwn(old, name) ? 'replace' : 'add', path, value }];
    return name === 'tags' ? [{ op: 'replace', path, value: [] }] : [{ op: 'remove', path }];
  });
}

/**
 * Projects that an image is shared with. Public source: Image API reference, "Sharing".
 *
 * Makes them those of the properties; again, it changes nothing.
 */
export async function settleMembers(scope: ExistingScope, calls: ServiceCalls): Promise<void> {
  const { properties, row } = scope;
  if (properties['visibility'] !== 'shared') return;
  const path = `/v2/images/${part(row.physicalId)}/members`;
  const wanted = textsIn(properties, 'members') ?? [];
  const { members } = await calls.get(path);
  const present = asObjects(members).map(({ member_id: id }) => asText(id));
  for (const member of wanted.filter((one) => !present.includes(one)))
    await calls.act(path, { member });
  for (const member of present.filter((one) => !wanted.includes(one)))
    await calls.remove(`${path}/${part(member)}`);
}
