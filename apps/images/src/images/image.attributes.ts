/**
 * The attributes of an image: types, who may set them, and their schemas. Public source: Image API
 * reference, "Image Schemas".
 *
 * Always holds: any other name is a custom property, whose value is a string.
 */
import { VISIBILITIES, type Image } from './image.entity.js';

type JsonType = 'string' | 'integer' | 'boolean' | 'null' | 'array';

export interface ImageAttribute {
  readonly type: JsonType | readonly JsonType[];
  readonly description: string;
  readonly enum?: readonly (string | null)[];
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly items?: {
    readonly type: 'string';
    readonly minLength: number;
    readonly maxLength: number;
  };
  /** Set by the service alone. */
  readonly readOnly?: true;
  /** False for a custom property with a known meaning, which clients list among properties. */
  readonly is_base?: false;
}

/** Every status of the Image API; images use those of `image.states.ts`. */
const STATUSES = [
  'queued',
  'saving',
  'uploading',
  'importing',
  'active',
  'deactivated',
  'killed',
  'deleted',
  'pending_delete',
];

const DISK_FORMATS = [
  'ami',
  'ari',
  'aki',
  'vhd',
  'vhdx',
  'vmdk',
  'raw',
  'qcow2',
  'vdi',
  'iso',
  'ploop',
];

const CONTAINER_FORMATS = ['ami', 'ari', 'aki', 'bare', 'ovf', 'ova', 'docker', 'compressed'];

export const UUID_PATTERN =
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';

const MAX_INTEGER = 2_147_483_647;

/** Limits per image. */
export const MAX_TAGS = 128;
export const MAX_PROPERTIES = 128;

/** Bytes of UTF-8 of the names and values together: lists carry them whole. */
export const MAX_PROPERTY_BYTES = 65_536;

type Details = Omit<ImageAttribute, 'type' | 'description'>;

function text(description: string, details: Details = {}): ImageAttribute {
  return { type: ['null', 'string'], ...details, description };
}

function readOnly(description: string, details: Details = {}): ImageAttribute {
  return { type: 'string', ...details, readOnly: true, description };
}

function bytes(description: string): ImageAttribute {
  return { type: ['null', 'integer'], readOnly: true, description };
}

function need(description: string): ImageAttribute {
  return { type: 'integer', minimum: 0, maximum: MAX_INTEGER, description };
}

function known(description: string): ImageAttribute {
  return { type: 'string', is_base: false, description };
}

/** The ID of another image, as a custom property. */
function part(description: string): ImageAttribute {
  return text(description, { pattern: UUID_PATTERN, is_base: false });
}

export const IMAGE_ATTRIBUTES = {
  id: { type: 'string', pattern: UUID_PATTERN, description: 'The UUID of the image.' },
  name: text('The name.', { maxLength: 255 }),
  status: readOnly('The status of the image.', { enum: STATUSES }),
  visibility: { type: 'string', enum: VISIBILITIES, description: 'Who may see the image.' },
  protected: { type: 'boolean', description: 'Whether the image is kept from being deleted.' },
  os_hidden: { type: 'boolean', description: 'Whether lists leave the image out unless asked.' },
  checksum: text('MD5 of the data in hexadecimal.', { maxLength: 32, readOnly: true }),
  os_hash_algo: text('The hash function of os_hash_value.', { maxLength: 64, readOnly: true }),
  os_hash_value: text('The hash of the data in hexadecimal.', { maxLength: 128, readOnly: true }),
  owner: text('The ID of the project that owns the image.', { maxLength: 255 }),
  size: bytes('Bytes of the data.'),
  virtual_size: bytes('Bytes of the disk that a guest sees.'),
  container_format: text('The format of the container of the data; bare for none.', {
    enum: [null, ...CONTAINER_FORMATS],
  }),
  disk_format: text('The format of the disk.', { enum: [null, ...DISK_FORMATS] }),
  created_at: readOnly('When the image was registered.'),
  updated_at: readOnly('When the image last changed.'),
  tags: {
    type: 'array',
    maxItems: MAX_TAGS,
    items: { type: 'string', minLength: 1, maxLength: 255 },
    description: 'The tags.',
  },
  min_ram: need('Megabytes of memory that a guest needs to boot it.'),
  min_disk: need('Gigabytes of disk that a guest needs to boot it.'),
  self: readOnly('The path of the image.'),
  file: readOnly('The path of the data.'),
  schema: readOnly('The path of the schema.'),
  direct_url: readOnly('The location of the data in the store.'),
  stores: readOnly('The stores that hold the data.'),
  kernel_id: part('The image that holds the kernel to boot this one with.'),
  ramdisk_id: part('The image that holds the initial ramdisk to boot this one with.'),
  instance_uuid: known('The server from which the image was created.'),
  architecture: known('The processor architecture of the system.'),
  os_distro: known('The distribution, in lower case.'),
  os_version: known('The version of the distribution.'),
  description: known('A description.'),
} satisfies Readonly<Record<string, ImageAttribute>>;

export type ImageAttributeName = keyof typeof IMAGE_ATTRIBUTES;

/** Changeable attributes, and their row properties. */
export const COLUMNS = {
  name: 'name',
  owner: 'owner',
  visibility: 'visibility',
  protected: 'protected',
  os_hidden: 'hidden',
  disk_format: 'diskFormat',
  container_format: 'containerFormat',
  min_disk: 'minDisk',
  min_ram: 'minRam',
  tags: 'tags',
} as const satisfies Partial<Record<ImageAttributeName, keyof Image>>;

/** Returns the row property and its value; duplicate tags count once. */
export function columnOf(name: string, value: unknown): [keyof Image, unknown] {
  const column = COLUMNS[name as keyof typeof COLUMNS];
  return [column, name === 'tags' ? [...new Set(value as string[])] : value];
}

/** Names with which Glance means something else, so no property may have them. */
const RESERVED = ['location', 'locations', 'deleted', 'deleted_at'];
const RESERVED_PREFIX = 'os_glance';

export function attributeOf(name: string): ImageAttribute | undefined {
  return Object.hasOwn(IMAGE_ATTRIBUTES, name)
    ? IMAGE_ATTRIBUTES[name as ImageAttributeName]
    : undefined;
}

/** Whether the attribute has a column, rather than being a custom property. */
export function isBaseAttribute(name: string): boolean {
  const attribute = attributeOf(name);
  return attribute !== undefined && attribute.is_base !== false;
}

export function isReserved(name: string): boolean {
  return RESERVED.includes(name) || name.startsWith(RESERVED_PREFIX);
}
