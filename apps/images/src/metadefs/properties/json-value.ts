import { isStorable } from '@cumulet/common/database/storable';

/** Whether Postgres can hold this value of a parsed body; its depth is limited where it is parsed. */
export function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, one]) => isStorable(key) && isStorableJson(one));
}

/** Strings, numbers and booleans, as a property's values can be told apart. */
export function isListOfScalars(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (one) =>
        ['string', 'number', 'boolean'].includes(typeof one) && isStorableJson(one as unknown),
    )
  );
}
