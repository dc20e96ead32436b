/** What a property's values may be, as JSON schema has it: what clients sent, checked. */
export type PropertySchema = Readonly<Record<string, unknown>>;

/** Schemas by the names of their properties. */
export type PropertySchemas = Readonly<Record<string, PropertySchema>>;

export const PROPERTY_TYPES = [
  'array',
  'boolean',
  'integer',
  'number',
  'object',
  'string',
] as const;
