/** Public source: Image API reference, "Show image". */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { AdditionalProperties, answerClass, Shown, type Shape } from '@cumulet/common/http/shown';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { IMAGE_ATTRIBUTES, type ImageAttribute } from './image.attributes.js';
import { imageSize, imageStatus } from './image-status.js';
import type { Image } from './image.entity.js';
import { IMPORT_STATES } from './image.states.js';
import { PAGE_LINKS, pageLinks } from './page-query.js';
import { timestamp } from './timestamp.js';

export type ImageView = Readonly<Record<string, unknown>>;

const SHAPES: Readonly<Record<string, Shape>> = {
  string: String,
  integer: 'integer',
  boolean: Boolean,
  array: [String],
};

/** Any other property is a custom one. */
export const ImageAnswer = answerClass(
  'Image',
  Object.fromEntries(
    Object.entries(IMAGE_ATTRIBUTES).map(([name, one]) => [name, shown(name, one)]),
  ),
);
AdditionalProperties(String)(ImageAnswer);

export const ImageListAnswer = answerClass('ImageList', {
  images: Shown([() => ImageAnswer], 'The images.'),
  ...PAGE_LINKS,
  schema: Shown(String, 'The path of the schema.'),
});

/** Images without data lack `stores` and `direct_url`. */
function shown(name: string, attribute: ImageAttribute): PropertyDecorator {
  const types = [attribute.type].flat();
  const shape = SHAPES[types.find((type) => type !== 'null') ?? 'string'] ?? String;
  const words = attribute.enum?.filter((one) => one !== null);
  return Shown(shape, attribute.description, {
    nullable: types.includes('null'),
    optional: attribute.is_base === false || ['stores', 'direct_url'].includes(name),
    ...(words ? { enum: words } : {}),
  });
}

const IMAGES_PATH = '/v2/images';

/** @param store the id of the one store */
export function imageView(image: Image, store: string): ImageView {
  const path = `${IMAGES_PATH}/${image.id}`;
  const hashed = image.hashValue !== null;
  const view: Record<string, unknown> = {
    name: image.name,
    disk_format: image.diskFormat,
    container_format: image.containerFormat,
    visibility: image.visibility,
    size: imageSize(image),
    virtual_size: image.virtualSize,
    status: imageStatus(image.state),
    checksum: image.checksum,
    protected: image.protected,
    min_ram: image.minRam,
    min_disk: image.minDisk,
    owner: image.owner,
    os_hidden: image.hidden,
    os_hash_algo: hashed ? 'sha512' : null,
    os_hash_value: image.hashValue,
    id: image.id,
    created_at: timestamp(image.createdAt),
    updated_at: timestamp(image.updatedAt),
    tags: image.tags,
    self: path,
    file: `${path}/file`,
    schema: '/v2/schemas/image',
  };
  if (image.size !== null) view['stores'] = store;
  if (image.stateReason !== null) view['os_glance_status_reason'] = image.stateReason;
  addImport(view, image, store);
  // Custom properties come last: building an object that begins with arbitrary names takes longer
  // than the whole answer.
  for (const [name, value] of Object.entries(image.properties))
    if (!Object.hasOwn(view, name)) addProperty(view, name, value);
  return view;
}

/** Assigning to `__proto__` would set the answer's prototype. */
function addProperty(view: Record<string, unknown>, name: string, value: string): void {
  if (name !== '__proto__') view[name] = value;
  else Object.defineProperty(view, name, { value, enumerable: true });
}

/** Clients that wait for an import poll these. */
function addImport(
  view: Record<string, unknown>,
  { state, previousState }: Image,
  store: string,
): void {
  const isUnderWay = IMPORT_STATES.includes(state);
  const hasFailed = state === 'queued' && IMPORT_STATES.some((one) => one === previousState);
  if (!isUnderWay && !hasFailed) return;
  view['os_glance_importing_to_stores'] = isUnderWay ? store : '';
  view['os_glance_failed_import'] = hasFailed ? store : '';
}

/** @param store the id of the one store */
export function imageListView(
  ctx: RequestContext,
  page: PageOfRows<Image>,
  store: string,
): ImageView {
  return {
    images: page.rows.map((image) => imageView(image, store)),
    ...pageLinks(ctx, page, ({ id }) => id),
    schema: '/v2/schemas/images',
  };
}
