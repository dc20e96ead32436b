/** Labels of templates, clusters and node groups: names with texts, which say how nodes are set up. */
import { isStorable } from '@cumulet/common/database/storable';
import { CheckedField } from '@cumulet/common/http/fields';

export type Labels = Readonly<Record<string, string>>;

const MAX_LABELS = 256;

/** Labels: texts, numbers and booleans by name. */
export function LabelsField(description: string): PropertyDecorator {
  return CheckedField(
    isLabels,
    `must be an object of at most ${MAX_LABELS} names of 1 to 255 characters, each with a text of at most 4096 characters, a number or a boolean`,
    {
      type: 'object',
      additionalProperties: {
        oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }],
      },
    },
    { optional: true, nullable: true, description },
  );
}

function isLabels(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= MAX_LABELS &&
    entries.every(([name, one]) => isShort(name, 1, 255) && isLabelValue(one))
  );
}

function isLabelValue(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'boolean' || (typeof value === 'string' && isShort(value, 0, 4_096));
}

function isShort(text: string, min: number, max: number): boolean {
  return text.length >= min && text.length <= max && isStorable(text);
}

/** As they are kept: all values are texts. */
export function labelsOf(given: Readonly<Record<string, unknown>> | null | undefined): Labels {
  return Object.fromEntries(
    Object.entries(given ?? {}).map(([name, value]) => [name, String(value)]),
  );
}

export interface LabelDifferences {
  /** The parent's values of those that both have, and that differ. */
  readonly overridden: Labels;
  readonly added: Labels;
  /** Those that only the parent has. */
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
