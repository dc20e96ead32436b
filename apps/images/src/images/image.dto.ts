/** The body of a create request. Public source: Image API reference, "Create image". */
import { randomUUID } from 'node:crypto';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { initialState } from '@cumulet/common/states/transition';
import { checkAttribute, checkProperties } from './attribute-check.js';
import { attributeOf, isBaseAttribute, isReserved } from './image.attributes.js';
import { Image, type ImageId, type Visibility } from './image.entity.js';
import { imageStates } from './image.states.js';
import { ReadOnlyAttributeError, ReservedAttributeError } from './image.errors.js';

export interface NewImage {
  readonly id: string | undefined;
  readonly owner: string | undefined;
  readonly name: string | null;
  readonly visibility: Visibility;
  readonly protected: boolean;
  readonly hidden: boolean;
  readonly diskFormat: string | null;
  readonly containerFormat: string | null;
  /** Gigabytes. */
  readonly minDisk: number;
  /** Megabytes. */
  readonly minRam: number;
  readonly tags: readonly string[];
  readonly properties: Readonly<Record<string, string>>;
}

/**
 * Custom properties stand beside the attributes, so no class can name all that a body may hold:
 * the table of attributes checks it.
 * @throws InvalidInputError naming the field that is wrong
 * @throws ReadOnlyAttributeError or ReservedAttributeError for a name that is not the caller's
 * @throws TooManyPropertiesError, PropertiesTooLongError or TooManyTagsError
 */
export function newImageOf(body: unknown): NewImage {
  if (!isRecord(body)) throw new InvalidInputError('Invalid input: the body must be an object.');
  for (const [name, value] of Object.entries(body)) checkField(name, value);
  const properties = customProperties(body);
  const given = body as GivenImage;
  if (given.owner === '') throw new InvalidInputError('Invalid input: owner must be a project.');
  return {
    id: given.id?.toLowerCase(),
    owner: given.owner ?? undefined,
    name: given.name ?? null,
    visibility: given.visibility ?? 'shared',
    protected: given.protected ?? false,
    hidden: given.os_hidden ?? false,
    diskFormat: given.disk_format ?? null,
    containerFormat: given.container_format ?? null,
    minDisk: given.min_disk ?? 0,
    minRam: given.min_ram ?? 0,
    tags: [...new Set(given.tags)],
    properties,
  };
}

/** The row of an image that nothing has happened to yet. */
export function imageOf(wanted: NewImage, owner: ProjectId): Image {
  const now = new Date();
  return Object.assign(new Image(), initialState(imageStates, now), {
    ...wanted,
    id: asId<ImageId>(wanted.id ?? randomUUID()),
    owner,
    tags: [...wanted.tags],
    properties: { ...wanted.properties },
    previousState: null,
    stateReason: null,
    generation: 1,
    dataId: null,
    uploadOwner: null,
    stagedDataId: null,
    stagedSize: null,
    virtualSize: null,
    scrubbedAt: null,
    announcedSize: null,
    size: null,
    checksum: null,
    hashValue: null,
    createdAt: now,
    updatedAt: now,
  });
}

/** What the table of attributes has found the body to be. */
interface GivenImage {
  readonly id?: string;
  readonly owner?: string | null;
  readonly name?: string | null;
  readonly visibility?: Visibility;
  readonly protected?: boolean;
  readonly os_hidden?: boolean;
  readonly disk_format?: string | null;
  readonly container_format?: string | null;
  readonly min_disk?: number;
  readonly min_ram?: number;
  readonly tags?: readonly string[];
}

function checkField(name: string, value: unknown): void {
  if (isReserved(name)) throw new ReservedAttributeError(name);
  if (attributeOf(name)?.readOnly) throw new ReadOnlyAttributeError(name);
  checkAttribute(name, value);
}

/** A known property that is null, as kernel_id may be, is one that is not set. */
function customProperties(body: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(body).filter(
    (entry): entry is [string, string] => !isBaseAttribute(entry[0]) && entry[1] !== null,
  );
  const properties = Object.fromEntries(entries);
  checkProperties(properties);
  return properties;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
