/** A key that no literal type has. */
type Other = Record<'\0', 1>;

/**
 * A text that stands in the source: what the programmer wrote, and no value of anybody. `string`, and
 * a template with a value in it, are `never`.
 *
 *     function keyword<const Text extends string>(text: Literal<Text>): …
 */
export type Literal<Text extends string> = Other extends Record<Text, 1> ? never : Text;
