import type { TableShape } from '../database/rows.js';
import { camelCase } from './names.js';

/**
 * The columns that a DTO names: `parent_region_id` is `parentRegionId`. Null resets a value: to
 * null if the column is nullable, else to the column's default. Leaves out undefined, and what is
 * not a column (`links`).
 */
export function fromWire<Row>(shape: TableShape, dto: object): Partial<Row> {
  const columns = Object.entries(dto).flatMap(([name, value]: [string, unknown]) => {
    const property = camelCase(name);
    if (value === undefined || !shape.has(property)) return [];
    const taken = value === null && !shape.isNullable(property);
    return [[property, taken ? shape.defaultOf(property) : value] as const];
  });
  return Object.fromEntries(columns) as Partial<Row>;
}
