/**
 * A batch update of a pool's members: which are added, changed and removed. Members are identified by
 * address and port. Pure.
 * Public source: Load Balancer API v2 reference, "Batch Update Members".
 */
import { HTTPBadRequestError } from '@cumulet/common/resources/resource.errors';
import { onlyUnder, readAttributes } from '@cumulet/common/resources/read-body';
import { canonicalIp } from '@cumulet/common/addresses/ip-address';
import { DuplicateMemberEntryError, type PresentMember } from '../tree/member.resource.js';
import { memberResource, type NewMember } from '../tree/member.resource.js';

/** Members of one request. */
export const MAX_BATCH = 20_000;

/** Of the body of such a request. */
export const MAX_BYTES = MAX_BATCH * 1024;

/** As the client lists it. */
export interface ListedMember {
  readonly body: NewMember;
  /** The attributes that it names: of one that is there, others stay or go to their defaults. */
  readonly names: ReadonlySet<string>;
}

export interface MemberBatch {
  readonly added: readonly NewMember[];
  /** As they are to be; those that stay as they are do not count. */
  readonly changed: readonly PresentMember[];
  /** Ids. */
  readonly removed: readonly string[];
}

/** @throws HTTPBadRequestError naming the attribute */
export function readBatch(body: unknown): ListedMember[] {
  const { members } = onlyUnder('members', body ?? {}) as { readonly members?: unknown };
  if (!Array.isArray(members))
    throw new HTTPBadRequestError("Unable to find 'members' in request body");
  if (members.length > MAX_BATCH)
    throw new HTTPBadRequestError(`A request must not have more than ${MAX_BATCH} members`);
  return members.map((one: unknown, at) => ({
    body: readAttributes(memberResource, one, `members[${at}].`),
    names: new Set(Object.keys(one as object)),
  }));
}

/**
 * @param isAdditive whether those that are not listed stay
 * @throws DuplicateMemberEntryError for an address and port that are listed twice
 */
export function planBatch(
  present: readonly PresentMember[],
  listed: readonly ListedMember[],
  isAdditive: boolean,
): MemberBatch {
  const keys = keysOf(listed.map(({ body }) => body));
  const byKey = new Map(present.map((row) => [keyOf(row.address, row.protocolPort), row]));
  const pairs = listed.map((one) => ({ ...one, row: byKey.get(bodyKey(one.body)) }));
  return {
    added: pairs.filter(({ row }) => !row).map(({ body }) => body),
    changed: pairs.flatMap(({ body, names, row }) => {
      const next = row && changedRow(row, body, names);
      return next && !isSame(row, next) ? [next] : [];
    }),
    removed: isAdditive ? [] : [...byKey].filter(([key]) => !keys.has(key)).map(([, { id }]) => id),
  };
}

/** @throws DuplicateMemberEntryError for what is there twice */
export function keysOf(bodies: readonly NewMember[]): Set<string> {
  const keys = new Set<string>();
  for (const body of bodies) {
    const key = bodyKey(body);
    if (keys.has(key)) throw new DuplicateMemberEntryError(body.address, body.protocolPort);
    keys.add(key);
  }
  return keys;
}

/** As Octavia: what has a default goes to it, a name, tags and a subnet stay. */
function changedRow(
  row: PresentMember,
  body: NewMember,
  names: ReadonlySet<string>,
): PresentMember {
  const { id, address, protocolPort } = row;
  return {
    id,
    address,
    protocolPort,
    name: names.has('name') ? body.name : row.name,
    weight: body.weight,
    backup: body.backup,
    adminStateUp: body.adminStateUp,
    subnetId: names.has('subnet_id') ? (body.subnetId ?? null) : row.subnetId,
    monitorAddress: body.monitorAddress ?? null,
    monitorPort: body.monitorPort ?? null,
    tags: names.has('tags') ? body.tags : row.tags,
  };
}

function isSame(row: PresentMember, next: PresentMember): boolean {
  return (Object.keys(next) as (keyof PresentMember)[]).every(
    (name) => JSON.stringify(row[name]) === JSON.stringify(next[name]),
  );
}

function bodyKey(body: NewMember): string {
  return keyOf(body.address, body.protocolPort);
}

function keyOf(address: string, port: number): string {
  return `${canonicalIp(address) ?? address} ${port}`;
}
