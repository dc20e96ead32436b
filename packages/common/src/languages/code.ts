/**
 * Code in a foreign language: a match of OVN, a line of HAProxy's configuration, a value in a shell
 * script. One module writes each language; it types and escapes every value, and brands its result.
 * A sink (a configuration file, a list of arguments, a row) takes the branded type alone, so text
 * that did not pass the module does not compile.
 *
 * Always holds: the linter refuses each cast to such a type outside of the language's modules
 * (`LANGUAGES` in eslint.config.js). Brands exist only at compile time.
 */
declare const codeLanguage: unique symbol;

/** Text that only a language's modules create; other strings are not assignable to it. */
export type Code<Language extends string> = string & { readonly [codeLanguage]: Language };
