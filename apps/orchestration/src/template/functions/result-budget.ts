/** Limits the output of a template's functions: nested calls may square a text each time. */
import type { Json } from '../../json/json.js';
import { TemplateError } from '../template.errors.js';

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_VALUES = 1_000_000;
/** Characters to search: some seconds. */
const MAX_WORK = 2_000_000_000;

export class ResultBudget {
  private bytes = 0;
  private values = 0;
  private work = 0;

  constructor(
    private readonly maxBytes = MAX_BYTES,
    private readonly maxValues = MAX_VALUES,
  ) {}

  /** Counts the value for another place. @returns the value */
  spend<Value extends Json>(value: Value): Value {
    const open: Json[] = [value];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      this.values += 1;
      if (typeof one === 'string') {
        this.bytes += one.length;
      } else if (Array.isArray(one)) {
        this.check(one.length);
        for (const item of one as readonly Json[]) {
          open.push(item);
        }
      } else if (typeof one === 'object' && one !== null) {
        for (const [key, entry] of Object.entries<Json>(one as never)) {
          this.bytes += key.length;
          open.push(entry);
        }
      }
    }
    this.check();
    return value;
  }

  /** Must be called before so much is created. @throws TemplateError */
  check(values = 0, bytes = 0): void {
    if (this.values + values > this.maxValues || this.bytes + bytes > this.maxBytes)
      throw new TemplateError(
        `The functions of the template make more than ${this.maxValues} values or ${this.maxBytes} bytes.`,
      );
  }

  /** Must be called before so many characters are searched. @throws TemplateError */
  search(letters: number): void {
    this.work += letters;
    if (this.work > MAX_WORK)
      throw new TemplateError('The functions of the template have too many texts to look through.');
  }
}
