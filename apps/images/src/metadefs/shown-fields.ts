import { timestamp } from '../images/timestamp.js';

export type MetadefView = Readonly<Record<string, unknown>>;

/** Glance leaves out what is not set. */
export function withoutNulls(fields: MetadefView): MetadefView {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

export function shownTimes({
  createdAt,
  updatedAt,
}: {
  readonly createdAt: Date;
  readonly updatedAt: Date;
}): MetadefView {
  return { created_at: timestamp(createdAt), updated_at: timestamp(updatedAt) };
}
