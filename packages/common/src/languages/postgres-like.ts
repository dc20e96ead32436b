/**
 * Patterns of LIKE and ILIKE. Public source: PostgreSQL documentation, "9.7.1. LIKE": `%` stands for
 * any text and `_` for any character, unless a backslash is before them. Pure.
 */
import type { Code } from './code.js';

export type LikePattern = Code<'like'>;

/** Patterns for a literal part at each place of a text. */
const PLACES = {
  contains: (part: string) => `%${part}%`,
  startswith: (part: string) => `${part}%`,
  endswith: (part: string) => `%${part}`,
} as const;

export type Place = keyof typeof PLACES;

export function likePart(place: Place, part: string): LikePattern {
  return PLACES[place](part.replaceAll(/[\\%_]/g, String.raw`\$&`)) as LikePattern;
}

/** `%` in the text matches any text; everything else is literal. */
export function likeWithWildcards(text: string): LikePattern {
  return text.replaceAll(/[\\_]/g, String.raw`\$&`) as LikePattern;
}
