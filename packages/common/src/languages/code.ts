/**
 * Code in a foreign language: a match of OVN, a line of HAProxy's configuration, a value in a shell
 * script. One module writes each language; it types and escapes every value, and brands its result.
 * A sink (a configuration file, a list of arguments, a row) takes the branded type alone, so text
 * that did not pass the module does not compile.
 *
 * Always holds: no cast to such a type is outside of the language's modules, or a unit test fails
 * (scripts/lib/forged-code.mjs). Brands exist only at compile time.
 */
declare const codeLanguage: unique symbol;

/** Text that only a language's modules create; other strings are not assignable to it. */
export type Code<Language extends string> = string & { readonly [codeLanguage]: Language };
