/** Labels of templates, clusters and node groups, which configure nodes. */
import { applyDecorators } from '@nestjs/common';
import { isStorable } from '@cumulet/common/database/storable';
import { CheckedField } from '@cumulet/common/http/fields';
import { Reads } from '@cumulet/common/http/read-dto';
import { json, type FieldType } from '@cumulet/common/resources/field-type';

export type Labels = Readonly<Record<string, string>>;

const MAX_LABELS = 256;

/** Strings by name; numbers and booleans become strings. */
export const labels: FieldType<Labels> = {
  ...json<Labels>(),
  field: (options) =>
    applyDecorators(
      Reads(asTexts),
      CheckedField(
        isLabels,
        `must be an object of at most ${MAX_LABELS} names of 1 to 255 characters, each with a text of at most 4096 characters, a number or a boolean`,
        {
          type: 'object',
          additionalProperties: {
            oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }],
          },
        },
        options,
      ),
    ),
};

function asTexts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const isPlain = (one: unknown): boolean => typeof one === 'number' || typeof one === 'boolean';
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      isPlain(one) ? String(one) : (one as unknown),
    ]),
  );
}

function isLabels(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= MAX_LABELS &&
    entries.every(([name, one]) => isShort(name, 1, 255) && isShort(one, 0, 4_096))
  );
}

function isShort(text: unknown, min: number, max: number): boolean {
  return typeof text === 'string' && text.length >= min && text.length <= max && isStorable(text);
}

export interface LabelDifferences {
  /** The parent's values of labels that differ. */
  readonly overridden: Labels;
  readonly added: Labels;
  /** Labels that only the parent has. */
  readonly skipped: Labels;
}

/** Public source: Container Infrastructure Management API reference, `labels_overridden`. */
export function differencesOf(labels: Labels, parent: Labels): LabelDifferences {
  const among = (of: Labels, is: (name: string, value: string) => boolean): Labels =>
    Object.fromEntries(Object.entries(of).filter(([name, value]) => is(name, value)));
  return {
    overridden: among(
      parent,
      (name, value) => Object.hasOwn(labels, name) && labels[name] !== value,
    ),
    added: among(labels, (name) => !Object.hasOwn(parent, name)),
    skipped: among(parent, (name) => !Object.hasOwn(labels, name)),
  };
}
