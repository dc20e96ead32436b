/** Computes the operations that turn the present rows into the wanted ones. Pure. */
import { plain } from '../../../languages/ovsdb-text.js';
import type { Operation, WrittenRow } from '../../ovsdb/ovsdb-operation.js';
import type { OvsdbRows } from '../../ovsdb/ovsdb-rows.js';
import { sameValue, type Row } from '../../ovsdb/ovsdb-schema.js';
import type { Membership, PresentRow, WantedRow } from './northbound.js';

/**
 * @param wanted all rows of a resource
 * @param before the rows that its previous spec asked for; those that are no longer wanted are
 * deleted
 */
export function planRows(
  rows: OvsdbRows,
  wanted: readonly WantedRow[],
  before: readonly PresentRow[] = [],
): Operation[] {
  const kept = new Map(wanted.map((row) => [keyOf(row), row]));
  return [
    ...before.flatMap((row) => leaveRow(rows, row, kept.get(keyOf(row)))),
    ...wanted.flatMap((row) => putRow(rows, row, kept)),
  ];
}

function putRow(
  rows: OvsdbRows,
  { table, id, row, memberOf = [] }: WantedRow,
  wanted: ReadonlyMap<string, WantedRow>,
): Operation[] {
  const present = rows.find(table, id);
  const changed = present ? changesOf(present, row) : row;
  const on = { table, id, row: changed };
  const put: Operation[] = present
    ? Object.keys(changed).length > 0
      ? [{ op: 'update', ...on }]
      : []
    : [{ op: 'insert', ...on }];
  const isThere = (one: Membership): boolean =>
    rows.find(one.table, one.id) !== undefined || wanted.has(keyOf(one));
  const missing = memberOf.filter((one) => isThere(one) && !isMember(rows, one, id));
  return [...put, ...missing.map((one) => mutation(one, 'insert', id))];
}

function leaveRow(
  rows: OvsdbRows,
  { table, id, memberOf = [] }: PresentRow,
  next?: WantedRow,
): Operation[] {
  const stays = new Set(next?.memberOf?.map(keyOf));
  const left = memberOf.filter((one) => !stays.has(keyOf(one)) && isMember(rows, one, id));
  const leave = left.map((one) => mutation(one, 'delete', id));
  // OVSDB deletes the others with the last reference.
  const isRoot = ROOTS.has(table);
  return !next && isRoot ? [...leave, { op: 'delete', table, id }] : leave;
}

const ROOTS = new Set<string>([
  'Logical_Switch',
  'DHCP_Options',
  'Port_Group',
  'Logical_Router',
  'Load_Balancer',
]);

function changesOf(present: Row, row: WrittenRow): WrittenRow {
  const changed = Object.entries(row).filter(
    ([column, value]) => !sameValue(present[column], value),
  );
  return Object.fromEntries(changed);
}

function isMember(
  rows: OvsdbRows,
  { table, id, column = 'ports' }: Membership,
  member: string,
): boolean {
  const members = rows.find(table, id)?.[column] as readonly string[] | undefined;
  return members?.includes(member) ?? false;
}

function mutation(
  { table, id, column = 'ports' }: Membership,
  mutator: 'insert' | 'delete',
  member: string,
): Operation {
  return { op: 'mutate', table, id, column, mutator, values: [plain(member)] };
}

function keyOf({ table, id }: { readonly table: string; readonly id: string }): string {
  return `${table} ${id}`;
}
