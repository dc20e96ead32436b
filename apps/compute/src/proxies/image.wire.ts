/** Images in Nova's shape (nova, `api/openstack/compute/views/images.py`, `image/glance.py`). */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { IntegerField, StringField } from '@cumulet/common/http/fields';
import { Link, linksOf } from '../http/pages.js';

export interface SisterImage {
  readonly id: string;
  readonly name: string | null;
  readonly status: string;
  readonly size: number | null;
  readonly min_ram: number;
  readonly min_disk: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly [property: string]: unknown;
}

/** Keys of an image that are not its owner's properties. */
const BASE: ReadonlySet<string> = new Set(
  (
    'id name status size virtual_size min_ram min_disk created_at updated_at visibility protected ' +
    'os_hidden owner checksum os_hash_algo os_hash_value disk_format container_format tags file self ' +
    'schema direct_url locations stores'
  ).split(' '),
);

const STATUSES: Readonly<Record<string, string>> = {
  active: 'ACTIVE',
  queued: 'SAVING',
  saving: 'SAVING',
  deleted: 'DELETED',
  pending_delete: 'DELETED',
  killed: 'ERROR',
};
const PROGRESS: Readonly<Record<string, number>> = { queued: 25, saving: 50, active: 100 };

const ImageLink = answerClass('ImageLink', {
  rel: Shown(String, 'The relation of the address to the image.', {
    enum: ['self', 'bookmark', 'alternate', 'next'],
  }),
  href: Shown(String, 'The address.'),
  type: Shown(String, 'The media type.', { optional: true }),
});

const IMAGE_SUMMARY = {
  id: Shown(String, 'Its id.'),
  name: Shown(String, 'Its name.', { nullable: true }),
  links: Shown([() => ImageLink], 'The address.'),
};

export const ImageSummary = answerClass('ImageSummary', IMAGE_SUMMARY);

export const ImageServer = answerClass('ImageServer', {
  id: Shown(String, 'Its id.'),
  links: Shown([() => Link], 'The address.'),
});

export const ImageView = answerClass('ImageView', {
  ...IMAGE_SUMMARY,
  status: Shown(String, 'ACTIVE, SAVING, DELETED, ERROR or UNKNOWN.'),
  progress: Shown('integer', 'The share that was uploaded, in per cent.'),
  minRam: Shown('integer', 'The memory in MiB that a server needs to boot the image.'),
  minDisk: Shown('integer', 'The root disk in GiB that a server needs to boot the image.'),
  metadata: Shown(Object, 'Its properties.', { schema: { additionalProperties: true } }),
  created: Shown('date-time', 'When the image was created.'),
  updated: Shown('date-time', 'When the image last changed.'),
  'OS-EXT-IMG-SIZE:size': Shown('integer', 'Bytes.', { nullable: true }),
  'OS-DCF:diskConfig': Shown(
    String,
    'Whether the cloud partitions the disks of servers of the image.',
    {
      optional: true,
    },
  ),
  server: Shown(() => ImageServer, 'The server that the image was created from.', {
    optional: true,
  }),
});

/** The owner's properties. */
export function propertiesOf(image: SisterImage): Record<string, string> {
  const own = Object.entries(image).filter(([name, value]) => !BASE.has(name) && value !== null);
  return Object.fromEntries(
    own.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

export function imageSummaryView(ctx: RequestContext, image: SisterImage): object {
  return { id: image.id, name: image.name, links: imageLinks(ctx, image) };
}

function imageLinks(ctx: RequestContext, image: SisterImage): object[] {
  const path = `images/${image.id}`;
  const alternate = {
    rel: 'alternate',
    type: 'application/vnd.openstack.image',
    href: `${ctx.baseUrl.replace(/\/compute$/, '/image')}/v2/${path}`,
  };
  return [...linksOf('images', image, ctx), alternate];
}

export function imageView(ctx: RequestContext, image: SisterImage): object {
  const metadata = propertiesOf(image);
  const { instance_uuid: server, auto_disk_config: isAuto } = metadata;
  return {
    id: image.id,
    name: image.name,
    links: imageLinks(ctx, image),
    status: STATUSES[image.status] ?? 'UNKNOWN',
    progress: PROGRESS[image.status] ?? 0,
    minRam: image.min_ram,
    minDisk: image.min_disk,
    metadata,
    created: image.created_at,
    updated: image.updated_at,
    'OS-EXT-IMG-SIZE:size': image.size,
    ...(isAuto === undefined
      ? {}
      : { 'OS-DCF:diskConfig': /^(true|1|yes|on|t|y)$/i.test(isAuto) ? 'AUTO' : 'MANUAL' }),
    ...(server === undefined
      ? {}
      : { server: { id: server, links: linksOf('servers', { id: server }, ctx) } }),
  };
}

/** Public source: nova, `api/openstack/compute/images.py`, `schemas/images.py`. */
export class ListImagesQuery {
  @IntegerField({ optional: true, fromText: true })
  limit?: number;

  @StringField({ optional: true })
  marker?: string;

  @StringField({ optional: true })
  name?: string;

  @StringField({ optional: true })
  status?: string;

  @StringField({
    optional: true,
    description: 'The ID or the address of the server that the image was created from.',
  })
  server?: string;

  @StringField({ optional: true, description: '`snapshot` or `backup`.' })
  type?: string;

  @IntegerField({ optional: true, fromText: true })
  minRam?: number;

  @IntegerField({ optional: true, fromText: true })
  minDisk?: number;

  @StringField({ optional: true, description: 'An ISO 8601 time.' })
  'changes-since'?: string;
}
