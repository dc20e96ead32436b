import { Transform, type TransformFnParams } from 'class-transformer';

/**
 * The value of a property as it stands in the body, for what a client chooses the keys of: the copy
 * that class-transformer makes has lost those that every object has, as `toString`.
 */
export function AsSent(make: (value: unknown) => unknown = (value) => value): PropertyDecorator {
  return Transform(({ obj, key }: TransformFnParams) =>
    make((obj as Readonly<Record<string, unknown>>)[key]),
  );
}
